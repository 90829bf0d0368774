# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: what holds commands back before they are sent, for admission.sh. ATTACH: the way the tracer attaches.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

attach=$1
refusals=/sys/kernel/tracing/instances/refusals

reads() {
	fio_run "$1" randread 4k "$2" "$3" "${@:4}" >/run/fio.json
}

in_flight() {
	[ "$(awk '{ print $1 + $2 }' "/sys/block/$1/inflight")" -ge "$2" ]
}

host_of() {
	readlink -f "/sys/block/$1/device" | sed -E 's/.*\/host([0-9]+)\/session.*/\1/'
}

# The kernel's own tracepoint is the witness of refusals.
witness_start() {
	mkdir "$refusals"
	echo 8192 >"$refusals/buffer_size_kb"
	echo "host_no == $(host_of "$1")" >"$refusals/events/scsi/scsi_dispatch_cmd_error/filter"
	echo 1 >"$refusals/events/scsi/scsi_dispatch_cmd_error/enable"
}

witness_stop() {
	echo 0 >"$refusals/events/scsi/scsi_dispatch_cmd_error/enable"
	note refusals "$(grep -c scsi_dispatch_cmd_error: "$refusals/trace")"
	rmdir "$refusals"
}

window() {
	tracer_start "window-$attach" -s "$narrow_sid" --attach "$attach" -b sid,lun
	tracer_pass 1
	witness_start "$narrow"
	reads "$narrow" 8 1009
	tracer_pass 2
	witness_stop
	tracer_stop
}

# Fewer tasks than readers: can_queue, cmds_max - 15, is what holds the commands back.
tasks() {
	disk_depth "$few" 17
	tracer_start "tasks-$attach" -s "$few_sid" --attach "$attach" -b sid,lun
	witness_start "$few"
	reads "$few" 64 1009
	witness_stop
	note can_queue "$(cat "/sys/class/scsi_host/host$(host_of "$few")/can_queue")"
	tracer_pass 1
	tracer_stop
}

# A LUN that hangs: nothing ends.
hang() {
	local pid

	disk_depth "$held" 17
	tracer_start "hang-$attach" -s "$sid" --attach "$attach" -b sid,lun --record "$check_share/hang-$attach.rec"
	lun_hold "$iqn" 1
	reads "$held" 8 8 &
	pid=$!
	wait_for 20 in_flight "$held" 8
	tracer_pass 8
	lun_release "$iqn" 1
	wait "$pid"
	tracer_pass 2
	tracer_stop
	"$check_binary" -j --replay "$check_share/hang-$attach.rec" -s "$sid" -b sid,lun >"$check_share/hang-replay-$attach.json"
}

# An idle session that pings every second, then loses its wire.
pings() {
	local from

	pinged_sid=$(session_login "$pinged_iqn" 127.0.0.1:3263 'node.conn[0].timeo.noop_out_interval=1' \
		'node.conn[0].timeo.noop_out_timeout=5')
	disk_of "$pinged_sid" 0 >/run/pinged
	from=$(cut -d. -f1 /proc/uptime)
	tracer_start "pings-$attach" -s "$pinged_sid" --attach "$attach"
	sleep 10
	tracer_stop
	# Hooks are attached, and pings are seen, some time before the first interval begins.
	note seconds $(($(cut -d. -f1 /proc/uptime) - from))
	tracer_start "lost-$attach" -s "$pinged_sid" --attach "$attach"
	tracer_pass 2
	wire_down
	wait_for 30 session_is "$pinged_sid" FAILED
	tracer_pass 4
	wire_up
	wait_for 60 session_is "$pinged_sid" LOGGED_IN
	tracer_pass 4
	tracer_stop
	session_logout "$pinged_sid"
}

iqn=$(target_create plain --lun ramdisk:64 --lun linear:64)
narrow_iqn=$(target_create narrow --portal 127.0.0.1:3261 --attrib default_cmdsn_depth=2)
few_iqn=$(target_create few --portal 127.0.0.1:3262 --lun delay:20:64)
pinged_iqn=$(target_create pinged --portal 127.0.0.1:3263)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
narrow_sid=$(session_login "$narrow_iqn" 127.0.0.1:3261)
few_sid=$(session_login "$few_iqn" 127.0.0.1:3262 node.session.cmds_max=32)
held=$(disk_of "$sid" 1)
disk_of "$sid" 0 >/run/plain
narrow=$(disk_of "$narrow_sid" 0)
few=$(disk_of "$few_sid" 0)
for disk in $held $narrow $few; do
	disk_nomerges "$disk"
done
for scenario in window tasks hang pings; do
	echo "$scenario at $(cut -d' ' -f1 /proc/uptime) s"
	"$scenario"
done
finish
