#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each way to lose a command, and each fate of one, is provoked on a real kernel and counted under its own name, exactly
# where it can be known beforehand. What no kernel can be made to show is in stages_check.cpp and common_check.cpp:
# missing_stamp, clamped, mismatch, torn.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

scenarios="map_full keys_full no_start stale stale_reused probe_misses status_errors ring_full no_block refused
	aborted disrupted host_errors"

# begin NAME: prints what that run counted.
begin() {
	use "$1"
	[ -s "$tracer_out" ] || { failed "$1 was not run"; return 1; }
	echo "$1: $(records .ios '[.[] | del(.ops) | to_entries[] | select(.value | type == "number")] | group_by(.key)[] |
		select(.[0].key | IN("ios", "pdus", "good", "status_errors", "host_errors", "refused", "no_task", "retries", "aborted",
		"disrupted")) | "\(.[0].key)=\(map(.value) | add)"' | tr -d '"' | tr '\n' ' ') losses: $(losses | tr '\n' ' ')"
	expect_sound
}

# counts NAME=NUMBER...: of the run in use.
counts() {
	local item

	for item in "$@"; do
		expect_equal "$(total true ".${item%=*}")" "${item#*=}" "$tracer_out: ${item%=*}"
	done
}

# only NAME...: no other losses than these, and each of these.
only() {
	expect_equal "$(losses | cut -d= -f1 | sort | xargs)" "$*" "$tracer_out: losses"
}

says() {
	grep -qF -- "$1" "$tracer_err" || failed "$tracer_out: the warning on stderr lacks '$1'"
}

check_map_full() {
	begin map_full || return
	only map_full no_start
	expect_more "$(total true .ios)" 0 "what fitted is counted"
	# What was not followed ends without a known start.
	expect_equal $(($(total true .ios) + $(loss no_start))) 1009 "map_full: seen + lost"
	expect_equal "$(loss map_full)" "$(loss no_start)" "map_full: each is a lost command"
	counts bytes=$(($(total true .ios) * 4096))
	says --max-inflight
}

check_keys_full() {
	begin keys_full || return
	only keys_full
	expect_equal $(($(total true .ios) + $(loss keys_full))) 1009 "keys_full: seen + lost"
	counts bytes=$(($(total true .ios) * 4096))
	says --max-keys
}

check_starts() {
	begin no_start && only no_start && counts ios=101 pdus=101
	expect_equal "$(loss no_start)" 8 "no_start: commands in flight before"
	says no_start
	for run in restart-1 restart-2; do
		begin "$run" && expect_more "$(total true .ios)" 0 "$run: commands"
		[[ $(losses | cut -d= -f1) =~ ^(no_start)?$ ]] || failed "$run: losses $(losses)"
	done
}

check_stale() {
	begin stale && only stale && counts ios=0
	expect_equal "$(loss stale)" 8 "stale: commands whose end was not seen"
	says stale
	# Found by the commands that use their requests again.
	begin stale_reused && only stale && counts ios=1009
	expect_equal "$(loss stale)" 8 "stale_reused: commands whose end was not seen"
}

check_probe_misses() {
	begin probe_misses || return
	only probe_misses
	expect_more "$(noted misses)" 0 "hits the kernel skipped"
	expect_equal "$(loss probe_misses)" "$(noted misses)" "probe_misses"
	counts ios=101
	says probe_misses
}

check_failures() {
	begin status_errors && only && counts ios=101 good=0 status_errors=101 host_errors=0 errors=101
	expect_equal "$(noted fio_errors)" 101 "status_errors: fio's count"
	counts pdus="$(noted pdus)"
	begin ring_full && only ring_full
	expect_equal $(($(total true .ios) + $(loss ring_full))) 2003 "ring_full: seen + lost"
	counts good=0 status_errors="$(total true .ios)"
	says ring_full
}

check_no_block() {
	begin no_block || return
	only
	counts ios=101 good=101
	expect_equal "$(records '.ios > 0' '[.[] | .stages.block] | unique' | tr -d '[:space:]')" "[null]" "no_block: block"
}

check_refused() {
	begin refused || return
	only
	counts ios=1009 good=1009 pdus=1009 retries=0 no_task=0
	expect_more "$(total true .refused)" 0 "refused"
	expect_more "$(total true .stages.busy.sum_ns)" 1000000 "refused: busy"
}

check_recovery() {
	begin aborted && only && counts ios=1 good=1 aborted=1 retries=1 pdus=2 disrupted=0
	expect_more "$(largest true .stages.busy.max_ns)" 2000000000 "aborted: busy, up to the attempt that was good"
	begin disrupted && only && counts ios=1010 good=1010 disrupted=8 retries=8 pdus="$(noted pdus)"
	expect_more "$(largest true .stages.busy.max_ns)" 1000000000 "disrupted: busy"
	begin host_errors && only && counts good=0 status_errors=0
	# How many of fio's eight end with a host byte and how many without a task is a race; sg_raw's one is not tried again.
	expect_more "$(total true .host_errors)" 0 "host_errors"
	expect_more "$(total true .disrupted)" 8 "host_errors: nine or more attempts were in flight"
	expect_more $(($(total true .host_errors) + $(total true .no_task))) 8 "host_errors: each has an end"
}

# shellcheck disable=SC2086 # one argument each
in_guest 6.1 900 losses.sh $scenarios
guest_cpus=1 in_guest 6.1 600 losses.sh restart
check_map_full
check_keys_full
check_starts
check_stale
check_probe_misses
check_failures
check_no_block
check_refused
check_recovery
finish
