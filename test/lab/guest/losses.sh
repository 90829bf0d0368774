# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: provokes the losses and fates named as arguments, each in a run of the tracer of its own, for losses.sh.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

# background DISK RW DEPTH COUNT: starts the load, waits until DEPTH of its commands are in flight; background_end.
background() {
	fio_run "$1" "$2" 4k "$3" "$4" --continue_on_error=all >/run/background.json 2>&1 &
	background_pid=$!
	wait_for 20 in_flight "$1" "$3"
}

in_flight() {
	[ "$(awk '{ print $1 + $2 }' "/sys/block/$1/inflight")" -ge "$2" ]
}

background_end() {
	wait "$background_pid" || true
}

reads() {
	fio_run "$1" randread 4k "$2" "$3" "${@:4}" >/run/fio.json 2>&1 || true
}

map_full() {
	tracer_start map_full -s "$sid" --max-inflight 4
	reads "$disk0" 32 1009
	tracer_stop
}

# Reads and writes: two keys for one place.
keys_full() {
	tracer_start keys_full -s "$sid" --max-keys 1
	fio_run "$disk0" randrw 4k 4 1009 >/run/fio.json
	tracer_stop
}

no_start() {
	lun_hold "$iqn" 2
	background "$disk2" randread 8 8
	tracer_start no_start -s "$sid"
	lun_release "$iqn" 2
	background_end
	reads "$disk2" 8 101
	tracer_stop
}

# The tracer comes and goes in the middle of a load. One processor has to do both, so with the hooks of commands only.
restart() {
	fio_run "$disk0" randread 4k 8 1000003 --rate_iops=50 >/run/background.json 2>&1 &
	background_pid=$!
	sleep 2
	tracer_start restart-1 -s "$sid" --no-session-events
	tracer_pass 1
	tracer_stop
	tracer_start restart-2 -s "$sid" --no-session-events
	tracer_pass 1
	tracer_stop
	pidof fio | xargs kill -KILL
	background_end
}

# Ends of commands pass while the kernel's probes are off. stale: the requests are not used again. stale_reused: they are,
# before the tracer looks at what was left over.
stale() {
	tracer_start stale -s "$sid" --attach kprobe
	unseen_ends
	sleep 2
	tracer_stop
}

stale_reused() {
	tracer_interval=5 tracer_start stale_reused -s "$sid" --attach kprobe
	unseen_ends
	reads "$disk2" 64 1009
	tracer_stop
}

unseen_ends() {
	lun_hold "$iqn" 2
	background "$disk2" randread 8 8
	echo 0 >/sys/kernel/debug/kprobes/enabled
	lun_release "$iqn" 2
	background_end
	echo 1 >/sys/kernel/debug/kprobes/enabled
}

# The kernel skips a probe that is hit while another's handler runs. The tracer counts its own by the name of its events,
# so one of that name on a function that its handlers call is skipped for sure.
probe_misses() {
	local event

	tracer_start probe_misses -s "$sid" --attach kprobe
	event=skipped_$tracer_pid
	echo "p:lab/$event htab_map_delete_elem" >>/sys/kernel/tracing/kprobe_events
	echo 1 >"/sys/kernel/tracing/events/lab/$event/enable"
	reads "$disk0" 4 101
	note misses "$(awk -v name="$event" '$1 == name { print $3 }' /sys/kernel/tracing/kprobe_profile)"
	tracer_stop
	echo 0 >"/sys/kernel/tracing/events/lab/$event/enable"
	echo "-:lab/$event" >>/sys/kernel/tracing/kprobe_events
}

status_errors() {
	local before

	tracer_start status_errors -s "$sid"
	before=$(counter "$sid" scsicmd_pdus)
	reads "$disk3" 4 101 --continue_on_error=all
	note pdus $(($(counter "$sid" scsicmd_pdus) - before))
	note fio_errors "$(fio_value /run/fio.json .total_err)"
	tracer_stop
}

# More fails than the ring holds while the tracer does not get to empty it.
ring_full() {
	tracer_start ring_full -s "$sid"
	kill -STOP "$tracer_pid"
	reads "$disk3" 16 "$ring_reads" --continue_on_error=all
	kill -CONT "$tracer_pid"
	tracer_stop
}

# Neither statistics nor a scheduler ask for a request's start.
no_block() {
	echo none >"/sys/block/$disk1/queue/scheduler"
	echo 0 >"/sys/block/$disk1/queue/iostats"
	tracer_start no_block -s "$sid"
	reads "$disk1" 4 101
	tracer_stop
}

refused() {
	tracer_start refused -s "$narrow_sid"
	reads "$narrow" 8 1009
	tracer_stop
}

aborts() {
	dmesg | grep -c 'ABORT_TASK: Found referenced' || true
}

# abort_asked BEFORE: for one more abort than there were before has the target been asked.
abort_asked() {
	[ "$(aborts)" -gt "$1" ]
}

aborted() {
	local before

	before=$(aborts)
	disk_timeout "$disk2" 2
	lun_hold "$iqn" 2
	tracer_start aborted -s "$sid"
	background "$disk2" randread 1 1
	wait_for 30 abort_asked "$before"
	lun_release "$iqn" 2
	background_end
	tracer_stop
}

# A session that pings; a slow guest can be late for them, so it lives for its own two scenarios only.
fragile_login() {
	fragile_sid=$(session_login "$fragile_iqn" 127.0.0.1:3262 'node.conn[0].timeo.noop_out_interval=1' \
		'node.conn[0].timeo.noop_out_timeout=2')
	fragile=$(disk_of "$fragile_sid" 0)
	fragile_held=$(disk_of "$fragile_sid" 1)
	disk_nomerges "$fragile"
	disk_nomerges "$fragile_held"
}

# The connection breaks under load and comes back.
disrupted() {
	local before late_pid

	fragile_login
	tracer_start disrupted -s "$fragile_sid"
	before=$(counter "$fragile_sid" scsicmd_pdus)
	background "$fragile" randread 8 1009
	wire_down
	wait_for 20 session_is "$fragile_sid" FAILED
	dd if="/dev/$fragile" of=/dev/null bs=4k count=1 iflag=direct status=none &
	late_pid=$!
	sleep 1
	wire_up
	background_end
	wait "$late_pid"
	note pdus $(($(counter "$fragile_sid" scsicmd_pdus) - before))
	tracer_stop
}

# ... and does not come back in time: what was in flight fails. A command of sg_raw is not tried again, so it fails at once;
# the others are, or end without a task when they are.
host_errors() {
	lun_hold "$fragile_iqn" 1
	tracer_start host_errors -s "$fragile_sid"
	background "$fragile_held" randread 8 8
	sg_raw -r 512 "/dev/$fragile_held" 28 00 00 00 00 00 00 00 01 00 >/dev/null 2>&1 &
	sleep 1
	echo 2 >"/sys/class/iscsi_session/session$fragile_sid/recovery_tmo"
	wire_down
	background_end
	# What ended without a task is looked for when it is a second old.
	sleep 2
	tracer_stop
	lun_release "$fragile_iqn" 1
	wire_up
}

ring_reads=2003
iqn=$(target_create plain --lun ramdisk:64 --lun ramdisk:64 --lun linear:64 --lun error:64)
narrow_iqn=$(target_create narrow --portal 127.0.0.1:3261 --attrib default_cmdsn_depth=2)
fragile_iqn=$(target_create fragile --portal 127.0.0.1:3262 --lun delay:20:64 --lun linear:64)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
narrow_sid=$(session_login "$narrow_iqn" 127.0.0.1:3261)
disk0=$(disk_of "$sid" 0)
disk1=$(disk_of "$sid" 1)
disk2=$(disk_of "$sid" 2)
disk3=$(disk_of "$sid" 3)
narrow=$(disk_of "$narrow_sid" 0)
for disk in $disk0 $disk1 $disk2 $disk3 $narrow; do
	disk_nomerges "$disk"
done
for scenario in "$@"; do
	echo "$scenario at $(cut -d' ' -f1 /proc/uptime) s"
	"$scenario"
done
finish
