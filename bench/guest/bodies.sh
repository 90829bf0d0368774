#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: 2000 random reads of 4 KiB at depth 8 under the tracer, then each program's mean run time.
set -eu
# shellcheck source=../../lab/guest/lab.sh disable=SC1091
. "$LAB/guest/lab.sh"
program=$1
shift
reads=2000
iqn=$(target_create bench)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
disk_nomerges "$disk"
sysctl -qw kernel.bpf_stats_enabled=1

# Programs with their runs and instructions, then the sum per read.
show_programs() {
	bpftool -j prog show | jq -r --argjson reads "$reads" '
		[.[] | select(.run_cnt > 0 and (.name | test("^(fentry|fexit|kprobe|kretprobe|tracepoint)_")))] |
		(.[] | "\(.name) \(.run_cnt) runs, \(.run_time_ns / .run_cnt * 10 | round / 10) instructions each"),
		"sum per read: \((map(.run_time_ns) | add) / $reads * 10 | round / 10)"'
}

for mode; do
	start_in_background "$program" --attach "$mode" -j 3600 >/tmp/bench.json 2>/tmp/bench.err
	wait_for 120 sh -c 'bpftool prog show | grep -q _submit && sleep 1'
	sleep 5
	fio_run "$disk" randread 4k 8 "$reads" >/tmp/bench.fio
	echo "$mode:"
	show_programs
	# shellcheck disable=SC2154 # set by start_in_background
	kill "$lab_pid"
	wait "$lab_pid"
	jq -c 'select(.type == "stats") | {ios}' /tmp/bench.json
	cat /tmp/bench.err
done
