#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Names that no target in the lab will carry: with control and escape characters, quotes, broken and invisible UTF-8. No
# format lets a terminal or a parser fall for them, and JSON gives them back as they are.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
command -v jq >/dev/null || skip "jq is missing"

# As JSON: ESC [31m, bell, CR, LF, TAB, DEL, a C1 CSI, a right-to-left override, quote, backslash, comma, semicolon.
hostile='iqn.\u001b[31m\u0007\r\n\t\u007f\u009b\u202e\"\\,;x'
recording=$test_folder/hostile.jsonl
sed -e '1!s/"target":"iqn.2026-01.org.storprototrace:a"/"target":"'"${hostile//\\/\\\\}"'"/g' \
	-e '2s/^{"reading"/{"events":[{"type":"session","time_ns":1796000000500000000,"sid":1,"turn":1}],"reading"/' \
	"$test_recording" >"$recording"
[ "$(grep -cF "$hostile" "$recording")" -gt 1 ] || failed "the recording has no hostile name"

# harmless PATTERN WHAT: neither stdout nor stderr has bytes that match.
harmless() {
	! LC_ALL=C grep -nP "$1" "$test_out" "$test_err" >"$test_folder/found" && return
	failed "$2: characters that a terminal may obey"
	head -3 "$test_folder/found" | cat -v
}

# Line feed alone is allowed, CSV may have it between quotes. What is for people has no C1 and no override, either.
for format in table csv json prometheus openmetrics; do
	for more in "-b target,sid,lun" "-x -T"; do
		# shellcheck disable=SC2086 # several arguments
		run "$test_binary" --replay "$recording" -f "$format" $more
		expect 0 "$format $more"
		[ -s "$test_out" ] || failed "$format $more: no output"
		case $format in
		table) harmless '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' "$format $more" ;;
		*) harmless '[\x00-\x09\x0b-\x1f]' "$format $more" ;;
		esac
	done
done
run "$test_binary" --replay "$recording" -j
for type in stats session; do
	got=$(jq -c "select(.type == \"$type\" and .sid == 1) | .target" "$test_out" | sort -u)
	[ "$got" = "$(jq -c . <<<"\"$hostile\"")" ] || failed "$type: the target's name is $(cat -v <<<"$got")"
done
run "$test_binary" --replay "$recording" -H
harmless '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' "-H"
run "$test_binary" --replay "$recording" -j -t 'iqn.*,;x'
[ "$(jq -cs 'map(select(.type == "stats") | .sid) | unique' "$test_out")" = '[1,2]' ] || failed "-t iqn.*,;x: wrong sessions"
run "$test_binary" --replay "$recording" -t $'iqn.\e[31m\a'
expect 2 "-t with control characters"
harmless '[\x00-\x09\x0b-\x1f\x7f]' "-t with control characters"
finish
