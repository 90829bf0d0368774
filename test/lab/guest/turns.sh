# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: more turns of a session's life than the ring holds; a session that is blocked when the tracer comes. For turns.sh.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"
resets=$1

# Each is over before the next; by one process, for a process each would take longer than the reset.
reset_lun() {
	python3 - "$1" "$2" <<'END'
import array, fcntl, os, sys
SG_SCSI_RESET, DEVICE_ONLY = 0x2284, 1 | 0x100
disk = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)
for _ in range(int(sys.argv[2])):
    fcntl.ioctl(disk, SG_SCSI_RESET, array.array("i", [DEVICE_ONLY]))
END
}

# More than fit happen while the tracer does not get to empty the ring.
ring() {
	tracer_start ring -s "$sid"
	kill -STOP "$tracer_pid"
	reset_lun "/dev/$disk" "$resets"
	kill -CONT "$tracer_pid"
	tracer_pass 2
	reset_lun "/dev/$disk" 1
	tracer_pass 2
	tracer_stop
}

# One that pings; it loses its wire under a write, and the tracer comes before it is back.
blocked() {
	local fragile_sid fragile

	fragile_sid=$(session_login "$fragile_iqn" 127.0.0.1:3261 'node.conn[0].timeo.noop_out_interval=1' \
		'node.conn[0].timeo.noop_out_timeout=1')
	fragile=$(disk_of "$fragile_sid" 0)
	disk_nomerges "$fragile"
	fio_run "$fragile" write 4k 4 1000003 --rate_iops=50 >/run/fio.json 2>&1 &
	sleep 2
	wire_down
	wait_for 60 session_is "$fragile_sid" FAILED
	tracer_start blocked -s "$fragile_sid"
	tracer_pass 2
	wire_up
	wait_for 60 session_is "$fragile_sid" LOGGED_IN
	tracer_pass 4
	pidof fio | xargs kill -TERM
	wait "$!" || true
	tracer_pass 2
	tracer_stop
}

iqn=$(target_create plain)
fragile_iqn=$(target_create fragile --portal 127.0.0.1:3261)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
ring
blocked
finish
