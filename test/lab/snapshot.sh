#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Readings taken while commands end at full speed agree with themselves: nothing torn, nothing lost between two intervals.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# Of a recording: each histogram holds as many commands as its key ended.
# shellcheck disable=SC2016 # jq's variables
disagreements='select(.rows) | .reading.number as $n |
	def key: "\(.sid) \(.cid) \(.lun) \(.op) \(.size)";
	([.rows[] | select(.ios > 0) | {key: key, value: .ios}] | from_entries) as $ios |
	([.hists[] | {key: key, value: (.stages | map_values(map(.[1]) | add // 0))}] | from_entries) as $hists |
	(($ios | keys) + ($hists | keys) | unique[]) as $key | ($ios[$key] // 0) as $count |
	$hists[$key] // {} | (if . == {} and $count > 0 then {total: 0} else . end) | to_entries[] |
	select(.value != $count) | "reading \($n), \($key): \($count) commands, \(.value) in the histogram of \(.key)"'

in_guest 6.1 600 snapshot.sh
use snapshot
rounds=$(noted rounds)
busy=$(records '.ios > 0' 'map(.time) | unique | length')
echo "$(grep -c '"type":"loss"' "$tracer_out") intervals, $busy with commands; $(total true .ios) commands; losses: $(losses)"
expect_more "$busy" 200 "intervals with commands"
expect_equal "$(total '.op == "read"' .ios)" $((rounds * 7001)) "reads"
expect_equal "$(total '.op == "write"' .ios)" $((rounds * 7001)) "writes"
expect_equal "$(total true .bytes)" $((rounds * 2 * 7001 * 4096)) "bytes"
expect_equal "$(losses)" "" "losses"
expect_sound
jq -r "$disagreements" "$check_share/snapshot.rec" >"$check_share/disagreements"
[ ! -s "$check_share/disagreements" ] || { failed "histograms and counts disagree"; head "$check_share/disagreements"; }
finish
