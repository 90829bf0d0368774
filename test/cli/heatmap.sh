#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Heatmaps of a recording. The recording is that of replay.sh.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

play() {
	run "$test_binary" --replay "$test_recording" "$@"
	expect 0 "$*"
}

# A map of all unless several are asked for; as many columns as intervals.
play --heatmap
[ "$(grep -c ': total of 7620 commands$' "$test_out")" = 1 ] || { failed "not one map of all"; show; }
# shellcheck disable=SC2016 # a pattern
grep -qE '^ +0\.?[0-9]* \|[^ ]{5}$' "$test_out" || { failed "not five columns"; show; }
! grep -q $'\033' "$test_out" || failed "an escape sequence where there is no terminal"
play --heatmap=target -b sid,op
[ "$(grep -c ': target of ' "$test_out")" = 9 ] || { failed "not a map per session and operation"; show; }
expect_out "SID 3" "-b sid,op"
play --heatmap -b sid,op --op read -z
[ "$(grep -c ': total of ' "$test_out")" = 3 ] || { failed "-z: not a map per session that reads"; show; }
play --heatmap -s 1 2
expect_out "column 2 s" "intervals of two seconds"

# Colours are for terminals, and for those who want them.
if command -v script >/dev/null; then
	for wanted in "" 1; do
		NO_COLOR=$wanted TERM=xterm run script -qec "$test_binary --replay $test_recording --heatmap" /dev/null
		expect 0 "on a terminal"
		grep -q $'\033\\[0;7' "$test_out" && [ -n "$wanted" ] && failed "colours in spite of NO_COLOR"
		grep -q $'\033\\[0;7' "$test_out" || [ -n "$wanted" ] || { failed "no colours on a terminal"; show; }
	done
fi

# A full disk is noticed at the end, too.
if [ -w /dev/full ]; then
	run "$test_binary" --replay "$test_recording" --heatmap -o /dev/full
	expect 5 "a heatmap on a full disk"
fi
finish
