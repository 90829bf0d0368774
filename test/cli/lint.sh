#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Our own rules that tools can check: shell scripts, man page, licence lines, lengths of files.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
cd "$test_source" || exit 1
for tool in shellcheck mandoc; do
	command -v "$tool" >/dev/null || skip "$tool is missing"
done

# Our files: what git has, or all but build folders where the source came without git.
if git -c safe.directory='*' ls-files >"$test_folder/files" 2>/dev/null && [ -s "$test_folder/files" ]; then
	:
else
	find . -type f ! -path './build*' ! -path './.git/*' -printf '%P\n' >"$test_folder/files"
fi
mapfile -t files <"$test_folder/files"

scripts=()
for file in "${files[@]}"; do
	[ -f "$file" ] || continue
	case $file in
	*.sh | *.bash) scripts+=("$file") ;;
	*) head -n 1 "$file" | grep -qE '^#!/bin/(ba)?sh' && scripts+=("$file") ;;
	esac
	case $file in
	LICENSE | LICENSES/* | .gitignore | *.shellcheckrc | *.json | *.jsonl | test/known-skips) continue ;;
	esac
	head -n 2 "$file" | grep -qF 'SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause' ||
		failed "$file: no SPDX line"
	case $file in
	test/*) continue ;;
	*.c | *bpf.h) limit=400 ;;
	*.h) limit=150 ;;
	*) continue ;;
	esac
	[ "$(wc -l <"$file")" -le "$limit" ] || failed "$file: more than $limit lines"
done
shellcheck -x -P SCRIPTDIR -P . "${scripts[@]}" || failed "shellcheck"
mandoc -T lint -W warning "$test_build/doc/storprototrace.8" || failed "mandoc lint"
shellcheck "$test_build/doc/storprototrace" || failed "shellcheck of the completion"
finish
