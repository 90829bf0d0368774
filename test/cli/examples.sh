#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The documents' examples that play a recording of ours print what they are said to print; so does the picture.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

# The documents were written on a terminal that has more than ASCII.
export LC_ALL=C.UTF-8

storprototrace() {
	"$test_binary" "$@"
}

cd "$test_folder" || exit 1
ln -s "$test_source/test" test
awk 'FNR == 1 { inside = 0 } /^```/ { inside = !inside; blocks++; next } inside { print > ("block" blocks) }' "$test_source"/{README,doc/*}.md
played=0
for block in block*; do
	# shellcheck disable=SC2016 # the prompt
	head -n 1 "$block" | grep -qE '^\$ (TZ=UTC )?storprototrace --replay test/' || continue
	# In this shell, for the function above.
	eval "$(sed -n 's/^\$ //p' "$block")" >got 2>&1 </dev/null
	# shellcheck disable=SC2016 # the prompt
	grep -v '^\$ ' "$block" | diff - got || failed "$(head -n 1 "$block")"
	played=$((played + 1))
done
[ "$played" -ge 8 ] || failed "only $played examples were found"
# Links between the documents lead to files and headings that are there.
for document in "$test_source"/{README,doc/*,lab/README,test/recordings/README}.md; do
	while IFS= read -r link; do
		file=${link%%#*} heading=''
		[[ $link != *'#'* ]] || heading=${link#*#}
		path=$(dirname "$document")/$file
		[ -n "$file" ] || path=$document
		[ -e "$path" ] || { failed "$document: no $file"; continue; }
		[ -z "$heading" ] || sed -nE 's/^#+ //p' "$path" | tr '[:upper:] ' '[:lower:]-' | tr -cd 'a-z0-9_\n-' | grep -qxF "$heading" ||
			failed "$document: no heading $heading in ${path##*/}"
	done < <(grep -oE '\]\([^)]+\)' "$document" | sed 's/^](//; s/)$//' | grep -v '^https\?:')
done

command -v script >/dev/null || { echo "script is missing: the picture is not looked at"; finish; exit; }
bash "$test_source/doc/picture.sh" "$test_binary" 2>&1 | diff "$test_source/doc/picture.svg" - >/dev/null ||
	failed "doc/picture.svg is not what doc/picture.sh draws"
finish
