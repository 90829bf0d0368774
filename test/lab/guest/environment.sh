# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: modules that are not loaded yet, a tracefs that is not mounted. environment.sh looks at the results.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

read_disk() {
	dd if="/dev/$disk" of=/dev/null bs=4k count="$1" iflag=direct status=none
}

# run NAME ARG...: a run that ends by itself; its exit status is noted.
run() {
	local status=0

	use "$1"
	shift
	timeout 60 "$check_binary" "$@" >"$tracer_out" 2>"$tracer_err" || status=$?
	note status "$status"
}

waits() {
	grep -q 'not loaded yet: waiting' "$tracer_err"
}

# wait_in_vain SIGNAL: for modules, until the signal comes.
wait_in_vain() {
	local status=0 started

	use "vain-$1"
	start_in_background "$check_binary" -j 1 >"$tracer_out" 2>"$tracer_err"
	wait_for 20 waits
	started=$(date +%s%N)
	kill -"$1" "$lab_pid"
	wait "$lab_pid" || status=$?
	note status "$status"
	note ms $((($(date +%s%N) - started) / 1000000))
}

without_modules() {
	! grep -qw libiscsi /proc/modules || failed "libiscsi is loaded already"
	run strict --strict 1
	run once -1
	wait_in_vain INT
	wait_in_vain TERM
	use early
	start_in_background "$check_binary" -j -b sid,op 0.5 >"$tracer_out" 2>"$tracer_err"
	tracer_pid=$lab_pid
	wait_for 20 waits
	sleep 2
}

# The tracer that has waited sees the login and counts what comes after.
log_in() {
	iqn=$(target_create environment)
	initiator_start
	sid=$(session_login "$iqn" 127.0.0.1:3260)
	disk=$(disk_of "$sid" 0)
	disk_nomerges "$disk"
	use early
	wait_for 60 tracer_reports 1
	tracer_pass 1
	note lines "$(wc -l <"$tracer_out")"
	read_disk 101
	tracer_stop
}

# Every key is there whatever was asked for.
all_keys() {
	tracer_start keys -b sid,lun,op -p 99.95
	read_disk 31
	tracer_stop
	run by-connection -j 1 5
	run by-op -j -b op -1 0.5
}

without_tracefs() {
	umount /sys/kernel/tracing
	run kprobe-debugfs --attach kprobe -j -1 0.5
	umount /sys/kernel/debug/tracing 2>/dev/null || true
	umount /sys/kernel/debug
	run kprobe-no-tracefs --attach kprobe 1 1
	tracer_start fentry-no-tracefs -b sid,op
	read_disk 53
	tracer_stop
}

without_modules
log_in
all_keys
without_tracefs
finish
