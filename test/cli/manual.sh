#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The manual page has every option, column, format and section, and no option or column that is none.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
page=$test_build/doc/storprototrace.8

# agree WHAT: the program's list and the manual's are the same.
agree() {
	[ -s "$test_folder/program" ] || failed "$1: the program lists none"
	diff <(sort -u "$test_folder/program") <(sort -u "$test_folder/manual") >"$test_folder/difference" ||
		failed "$1: < only in the program, > only in the manual: $(grep '^[<>]' "$test_folder/difference" | xargs)"
}

# section NAME: its source.
section() {
	awk -v name="$1" '/^\.Sh / { inside = $0 == ".Sh " name } inside' "$page"
}

run "$test_binary" --help
cp "$test_out" "$test_folder/help"
# With its letter where it has one, with its argument or none: "t target", "- op".
sed -nE 's/^  (-(.), |    )--([a-z0-9-]+).*/\2 \3/p' "$test_folder/help" | sed 's/^ /- /' >"$test_folder/program"
section OPTIONS | sed -nE 's/^\.It Fl (([^-]) , Fl )?-([a-z0-9-]+).*/\2 \3/p' | sed 's/^ /- /' >"$test_folder/manual"
agree options
sed -nE 's/^  (-., |    )--([a-z0-9-]+) [A-Z].*/\2/p' "$test_folder/help" >"$test_folder/program"
section OPTIONS | sed -nE 's/^\.It Fl (. , Fl )?-([a-z0-9-]+) Ar .*/\2/p' >"$test_folder/manual"
agree "options with a value"

run "$test_binary" --columns help
sed -nE 's/^  ([^ ]+) .*/\1/p' "$test_out" >"$test_folder/program"
# What is generated ends where the remarks begin.
section FIELDS | awk '/^\.Ss More/ { exit } sub(/^\.It Li /, "")' >"$test_folder/manual"
agree columns
section FIELDS | awk '/^\.Ss More/ { more = 1 } more && sub(/^\.It Li /, "")' | tr -s ', ' '\n' | grep -vxF ... >"$test_folder/remarked"
unknown=$(comm -23 <(sort -u "$test_folder/remarked") <(sort -u "$test_folder/program") | xargs)
[ -z "$unknown" ] || failed "FIELDS speaks of columns that are none: $unknown"
# Both say the same of a column.
section FIELDS >"$test_folder/fields"
while IFS= read -r line; do
	name=${line:2:11} name=${name%% *}
	grep -A 1 -xF ".It Li $name" "$test_folder/fields" | sed -n '2{s/\\(ha/^/g; s/ \[[^]]*\]$//; p}' | grep -qxF -- "${line:20}" ||
		failed "the manual does not say of $name: ${line:20}"
done < <(grep '^  ' "$test_out")

# All formats, groupings, stages: as completion has them, from the tables by which they are parsed.
for option in --format --by --op --histogram-of --attach; do
	words=$(sed -nE "s/^\t(-. \| )?$option\) _storprototrace_(one|list) (.*) ;;/\3/p" "$test_build/doc/storprototrace")
	[ -n "$words" ] || failed "$option: no words"
	for word in $words; do
		section OPTIONS | grep -qwF -- "$word" || section STAGES | grep -qwF -- "$word" || failed "$option: the manual lacks $word"
	done
done

for name in NAME SYNOPSIS DESCRIPTION OPTIONS STAGES FIELDS EXAMPLES "EXIT STATUS" OVERHEAD "KERNEL SUPPORT" CAVEATS FILES \
	ENVIRONMENT "SEE ALSO"; do
	grep -qxF ".Sh $name" "$page" || failed "no section $name"
done
for status in 0 1 2 3 4 5; do
	section "EXIT STATUS" | grep -qxF ".It $status" || failed "EXIT STATUS lacks $status"
done
# Every documented example is a command line that the program accepts as one.
examples=0
while IFS= read -r example; do
	eval "set -- ${example#* storprototrace}"
	run "$test_binary" "$@" --help
	expect 0 "the example $example"
	examples=$((examples + 1))
done < <(section EXAMPLES | sed -nE 's/^\.Dl [#$] (storprototrace.*)/x \1/p')
[ "$examples" -ge 7 ] || failed "only $examples examples were found"

finish
