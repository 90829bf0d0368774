# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: programs built on the installed library run under load. library.sh looks at what they print.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

# The last program attached is the one that sees commands start.
attached() {
	local last

	last=$(bpftool prog list | awk '/ name fentry_submit / { print int($1) }')
	[ -n "$last" ] && bpftool link list | grep -qw "prog $last"
}

gone() {
	[ -z "$(bpftool prog list)" ]
}

# example PROGRAM COUNT: with so many reads, then stopped.
example() {
	local status=0

	start_in_background "/host/$1/custom_handler" 0 >"/host/$1.out" 2>"/host/$1.err"
	wait_for 60 attached
	dd if="/dev/$disk" of=/dev/null bs=4k count="$2" iflag=direct status=none
	kill -TERM "$lab_pid"
	wait "$lab_pid" || status=$?
	expect_equal "$status" 0 "$1: exit status"
	wait_for 10 gone || failed "$1 leaves programs in the kernel"
}

iqn=$(target_create library)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
disk_nomerges "$disk"
example pkg-config 211
example find_package 223
timeout 120 /host/library >/host/library.out 2>/host/library.err || failed "library: exit status $?"
wait_for 10 gone || failed "library leaves programs in the kernel"
finish
