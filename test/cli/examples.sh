#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The examples that play a recording of ours print what they are said to print.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

storprototrace() {
	"$test_binary" "$@"
}

cd "$test_folder" || exit 1
ln -s "$test_source/test" test
awk '/^```/ { inside = !inside; blocks++; next } inside { print > ("block" blocks) }' "$test_source/doc/examples.md"
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
[ "$played" -ge 4 ] || failed "only $played examples were found"
finish
