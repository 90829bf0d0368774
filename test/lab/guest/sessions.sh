# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: sessions log in and out, lose their connection, abort, reset; two tracers look on. Argument: HOW to attach.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"
how=$1

# step NAME: what follows is in NAME's notes by its time; mark NAME: the time now, in ns since the epoch.
step() {
	echo "$1 at $(cut -d' ' -f1 /proc/uptime) s"
	mark "$1"
}

mark() {
	note "$1" "$(date +%s%N)"
}

# state_watch SID: notes when the session is blocked and when it is not any more, by its state in sysfs: not before EVENT_from
# and not after EVENT_to, microseconds since the epoch. However slow the guest is, both hold.
state_watch() {
	state_change "$1" FAILED blocked && state_change "$1" LOGGED_IN unblocked
}

# state_change SID STATE EVENT: within 60 s.
state_change() {
	local state='' from='' before end=$((SECONDS + 60))

	while [ "$SECONDS" -lt "$end" ]; do
		before=${EPOCHREALTIME/./}
		read -r state <"/sys/class/iscsi_session/session$1/state"
		if [ "$state" = "$2" ]; then
			note "$3_from" "$from"
			note "$3_to" "${EPOCHREALTIME/./}"
			return
		fi
		from=$before
		sleep 0.05
	done
	failed "session $1 is $state, not $2"
}

# For the background: the shell becomes dd.
writes() {
	exec dd if=/dev/zero of="/dev/$1" bs=64k count=16000 oflag=direct status=none
}

# A session that pings; a slow guest can be late for them, so it lives for its own two steps only.
fragile_login() {
	fragile_sid=$(session_login "$fragile_iqn" 127.0.0.1:3261 'node.conn[0].timeo.noop_out_interval=1' \
		'node.conn[0].timeo.noop_out_timeout=2')
	fragile=$(disk_of "$fragile_sid" 0)
}

# The wire breaks under sequential writes and comes back 6 s later.
disrupted() {
	fragile_login
	step disrupted
	note disrupted_sid "$fragile_sid"
	writes "$fragile" &
	load_pid=$!
	sleep 1
	state_watch "$fragile_sid" &
	watch_pid=$!
	wire_down
	sleep 6
	wire_up
	wait "$watch_pid"
	kill "$load_pid" 2>/dev/null || true
	wait "$load_pid" || true
}

recovery_timeout() {
	local before

	step recovery_timeout
	before=$(cat "/sys/class/iscsi_session/session$fragile_sid/recovery_tmo")
	echo 2 >"/sys/class/iscsi_session/session$fragile_sid/recovery_tmo"
	wire_down
	wait_for 60 session_is "$fragile_sid" FREE
	wire_up
	wait_for 60 session_is "$fragile_sid" LOGGED_IN
	echo "$before" >"/sys/class/iscsi_session/session$fragile_sid/recovery_tmo"
	mark recovered
	session_logout "$fragile_sid"
}

abort_asked() {
	dmesg | grep -q 'ABORT_TASK: Found referenced'
}

aborted() {
	step aborted
	disk_timeout "$held" 2
	lun_hold "$iqn" 1
	dd if="/dev/$held" of=/dev/null bs=4k count=1 iflag=direct status=none &
	load_pid=$!
	wait_for 40 abort_asked
	sleep 1
	lun_release "$iqn" 1
	wait "$load_pid" || true
	disk_timeout "$held" 30
}

resets() {
	step lun_reset
	sg_reset -N -d "/dev/$disk"
	step target_reset
	sg_reset -N -t "/dev/$disk" || echo "sg_reset -t: exit status $?"
	wait_for 60 session_is "$sid" LOGGED_IN
}

login_logout() {
	local new

	step login_logout
	new=$(session_login "$passing_iqn" 127.0.0.1:3262)
	note passing_sid "$new"
	note passing_iqn "$passing_iqn"
	session_logout "$new"
}

iqn=$(target_create plain --lun ramdisk:64 --lun linear:64)
fragile_iqn=$(target_create fragile --portal 127.0.0.1:3261 --lun ramdisk:256)
passing_iqn=$(target_create passing --portal 127.0.0.1:3262)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
held=$(disk_of "$sid" 1)
tracer_start other --attach "$how"
other_pid=$tracer_pid
tracer_start none --attach "$how" --no-session-events
none_pid=$tracer_pid
tracer_start sessions --attach "$how" -v
note sid "$sid"
disrupted
recovery_timeout
aborted
resets
login_logout
mark end
tracer_pass 2
tracer_stop
tracer_pid=$none_pid
use none
tracer_stop
tracer_pid=$other_pid
use other
tracer_stop
finish
