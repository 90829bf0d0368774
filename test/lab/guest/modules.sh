# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: the modules come after the tracer, and go while it traces.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

waits() {
	grep -q 'waiting' "$tracer_err"
}

# early NAME ARG...: starts a tracer while there are no modules.
early() {
	use "$1"
	shift
	: >"$tracer_out"
	start_in_background "$check_binary" -j "$@" 0.5 >"$tracer_out" 2>"$tracer_err"
	tracer_pid=${lab_pid:?}
	wait_for 30 waits || failed "does not say that it waits"
}

# unload: from the last user down.
unload() {
	rmmod iscsi_tcp && rmmod libiscsi_tcp && rmmod libiscsi
}

tracer_ended() {
	! kill -0 "$tracer_pid" 2>/dev/null
}

iqn=$(target_create modules)

# Hooks by kprobe: the modules go, and the tracer says so and ends with 1, after a last report.
early kprobe --attach kprobe
initiator_start
wait_for 60 tracer_reports 1 || failed "does not trace once the modules are there"
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
dd if="/dev/$disk" of=/dev/null bs=4k count=101 iflag=direct status=none
tracer_pass 1
session_logout "$sid"
tracer_pass 1
unload || failed "the modules cannot be unloaded while hooked by kprobes"
wait_for 30 tracer_ended || failed "the tracer goes on without the modules"
status=0
wait "$tracer_pid" || status=$?
expect_equal "$status" 1 "exit status"
grep -q 'unloaded: tracing has stopped' "$tracer_err" || failed "nothing said of the modules"
expect_equal "$(grep -c storprototrace_ /sys/kernel/tracing/kprobe_events || true)" 0 "probe events left over"

# Hooks by fentry: the modules stay.
early fentry --attach fentry
modprobe iscsi_tcp
wait_for 60 tracer_reports 1 || failed "does not trace once the modules are there again"
! unload 2>/run/rmmod.err || failed "modules hooked by fentry can be unloaded"
grep 'in use' /run/rmmod.err || failed "rmmod says: $(cat /run/rmmod.err)"
modprobe iscsi_tcp
sid=$(session_login "$iqn" 127.0.0.1:3260)
tracer_pass 1
session_logout "$sid"
tracer_stop
unload || failed "the modules cannot be unloaded afterwards"
finish
