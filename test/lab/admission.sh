#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What holds commands back before they are sent, and what is in flight while nothing ends: refusals by reason, the session's
# gauges, commands in flight by stage, NOP-Out round trips; by numbers known beforehand, on two kernels, by both ways to attach.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# gauge FILTER NUMBER: its values over the records, without repetition, as "2 3".
gauge() {
	records "$1" "map($2) | unique | map(tostring) | join(\" \")" | tr -d '"'
}

check_window() {
	local what="$1 window"

	use "window-$2"
	expect_sound
	echo "$what: refused $(total true .refused), of these $(total true .refused_window) for the window; witness $(noted refusals)"
	expect_more "$(total true .refused_window)" 0 "$what: refused_window"
	expect_equal "$(total true .refused_no_task)" 0 "$what: refused_no_task"
	# Kprobes may skip the stamps of some commands, whose refusals are lost with them.
	if [ -z "$(losses)" ]; then
		expect_equal "$(total true .ios)" 1009 "$what: commands"
		expect_equal "$(total true .refused_window)" "$(noted refusals)" "$what: refusals by the kernel's tracepoint"
	else
		[ "$2" = kprobe ] || failed "$what: losses $(losses | xargs)"
	fi
	expect_equal "$(records true '.[0].cmdsn_window')" 2 "$what: free places at rest"
	expect_equal "$(records true '.[-1].cmdsn_window')" 2 "$what: free places at rest again"
	expect_equal "$(gauge true .cmds_max)" 128 "$what: cmds_max"
	expect_equal "$(gauge '.lun == 0' .queue_depth)" 32 "$what: queue_depth"
}

# The task pool has 15 tasks more than the SCSI layer gives commands at a time, so want of a task cannot be provoked.
check_tasks() {
	local what="$1 tasks"

	use "tasks-$2"
	expect_sound
	echo "$what: can_queue $(noted can_queue), refused $(total true .refused), for want of a task $(total true .refused_no_task)"
	expect_equal "$(noted can_queue)" 17 "$what: can_queue"
	expect_equal "$(gauge true .cmds_max)" 32 "$what: cmds_max"
	expect_equal "$(noted refusals)" 0 "$what: refusals by the kernel's tracepoint"
	expect_equal "$(total true .refused)" 0 "$what: refused"
	expect_equal "$(gauge '.lun == 0' .queue_depth)" 17 "$what: queue_depth"
}

check_hang() {
	local what="$1 hang" held='.lun == 1' stuck='.lun == 1 and .inflight == 8'

	use "hang-$2"
	expect_sound
	echo "$what: $(total "$stuck" 1) reports with 8 in flight, the oldest $(largest "$held" .oldest_ns) ns"
	expect_more "$(total "$stuck" 1)" 5 "$what: reports with 8 in flight"
	expect_equal "$(records "$stuck" 'map(.inflight_stages.target.count) | .[1:] | unique | tostring')" '"[8]"' "$what: in target"
	expect_equal "$(total "$stuck" .ios)" 0 "$what: commands ended meanwhile"
	expect_more "$(largest "$held" .oldest_ns)" 2500000000 "$what: age of the oldest"
	expect_true "$(records "$stuck" 'all(.oldest_ns == .inflight_stages.target.oldest_ns)')" "$what: the oldest is in target"
	expect_equal "$(records "$held" '.[-1] | [.inflight, .oldest_ns, .inflight_stages.target.count] | tostring')" '"[0,0,0]"' \
		"$what: afterwards"
	[ -n "$(losses)" ] || expect_equal "$(total "$held" .ios)" 8 "$what: commands ended at last"
	expect_equal "$(gauge "$held" .queue_depth)" 17 "$what: queue_depth"
	expect_equal "$(records "$held" '[.[0].cmdsn_window, .[-1].cmdsn_window] | tostring')" '"[64,64]"' "$what: free places at rest"
	expect_equal "$(records "$stuck" 'map(.cmdsn_window) | .[1:] | unique | tostring')" '"[56]"' "$what: free places beside 8"
	cmp -s <(jq -c 'del(.time)' "$check_share/hang-$2.json") <(jq -c 'del(.time)' "$check_share/hang-replay-$2.json") ||
		failed "$what: the recording plays differently"
}

# nops NUMBER: the sum over the last tracer's NOP records.
nops() {
	jq -s "[.[] | select(.type == \"nop\") | $1] | add // 0" "$tracer_out"
}

check_pings() {
	local what="$1 pings" seconds

	use "pings-$2"
	seconds=$(noted seconds)
	echo "$what: $(nops .count) in $seconds s, mean $(jq -n "$(nops .sum_ns) / ([$(nops .count), 1] | max) / 1e3 | round") us"
	expect_more "$(nops .count)" 6 "$what: round trips in 10 s"
	expect_true "$(nops .count) <= $seconds + 1" "$what: round trips"
	expect_equal "$(nops .lost)" 0 "$what: lost"
	expect_true "$(jq -s 'all(.[] | select(.type == "nop"); .sum_ns >= .max_ns and .max_ns > 0)' "$tracer_out")" "$what: times"
	use "lost-$2"
	echo "$what: wire down: $(nops .count) round trips, $(nops .lost) lost"
	expect_equal "$(nops .lost)" 1 "$what: wire down: lost"
	expect_more "$(nops .count)" 0 "$what: wire down: round trips before and after"
}

for run in "${lab_runs[@]}"; do
	in_guest "${run% *}" 600 admission.sh "${run#* }"
	check_window "$run" "${run#* }"
	check_tasks "$run" "${run#* }"
	check_hang "$run" "${run#* }"
	check_pings "$run" "${run#* }"
	rm -f "$check_share"/*-*.*
done
finish
