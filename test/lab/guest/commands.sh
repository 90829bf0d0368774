# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: commands that must have events of their own, scenario by scenario as named, for commands.sh.
# Usage: commands.sh HOW SCENARIO...; HOW goes to --attach.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

how=$1
shift

# traced NAME ARG...: a tracer whose run is called NAME and HOW.
traced() {
	local name=$1

	shift
	tracer_start "$name-$how" --attach "$how" "$@"
}

reads() {
	fio_run "$1" randread 4k "$2" "$3" "${@:4}" >/run/fio.json 2>&1 || true
}

every() {
	traced every -e -s "$sid"
	reads "$disk0" 8 1009
	tracer_stop
}

# 13 reads of the slow LUN among 503 of a fast one.
slower() {
	traced slower --slower 250 -s "$sid"
	reads "$disk1" 1 13 &
	reads_pid=$!
	reads "$disk0" 1 503
	wait "$reads_pid"
	tracer_stop
}

failed_commands() {
	traced failed_commands -e -s "$sid"
	reads "$disk3" 4 101 --continue_on_error=all
	# UNMAP, which the target does not offer; READ(6), (12) and (16).
	sg_raw -s 24 "/dev/$disk0" 42 00 00 00 00 00 00 00 18 00 </dev/zero >/host/sg_raw.txt 2>&1 || true
	sg_raw -r 1024 "/dev/$disk0" 08 01 02 03 02 00 >/dev/null 2>&1
	sg_raw -r 1024 "/dev/$disk0" a8 00 00 01 02 03 00 00 00 02 00 00 >/dev/null 2>&1
	sg_raw -r 1024 "/dev/$disk0" 88 00 00 00 00 00 00 01 02 03 00 00 00 02 00 00 >/dev/null 2>&1
	tracer_stop
}

abort_asked() {
	dmesg | grep -q 'ABORT_TASK: Found referenced'
}

in_flight() {
	[ "$(awk '{ print $1 + $2 }' "/sys/block/$1/inflight")" -ge "$2" ]
}

aborted() {
	disk_timeout "$disk2" 2
	lun_hold "$iqn" 2
	traced aborted -e -s "$sid"
	reads "$disk2" 1 1 &
	reads_pid=$!
	wait_for 30 abort_asked
	lun_release "$iqn" 2
	wait "$reads_pid"
	tracer_stop
	disk_timeout "$disk2" 30
}

# More end than the ring holds while the tracer does not get to empty it.
event_full() {
	traced event_full --slower 0.000001 -s "$sid"
	kill -STOP "$tracer_pid"
	reads "$disk0" 32 20011
	kill -CONT "$tracer_pid"
	tracer_stop
}

told_stuck() {
	(($(grep -c '"type":"stuck"' "$tracer_out") >= $1))
}

# Eight commands hang until each should have been told of three times.
stuck() {
	traced stuck --stuck 1000 -s "$sid"
	lun_hold "$iqn" 2
	reads "$disk2" 8 8 &
	reads_pid=$!
	wait_for 20 in_flight "$disk2" 8
	wait_for 20 told_stuck 24
	lun_release "$iqn" 2
	wait "$reads_pid"
	note released "$(grep -c '"type":"stuck"' "$tracer_out")"
	tracer_pass 4
	tracer_stop
}

# 64 KiB go with the command and 64 need an R2T, over a wire on which every answer takes 1.6 s. They go out at once, as the
# target waits 3 s for them.
asked() {
	traced asked --stuck 300 -s "$sid"
	netem_delay 800
	fio_run "$disk0" write 128k 1 1 >/run/fio.json
	netem_off
	tracer_pass 2
	tracer_stop
}

# Everything on the wire beside everything traced.
wire() {
	local tcpdump_pid

	start_in_background tcpdump -i lo -s 0 -B 65536 -w /run/wire.pcap -U 'tcp port 3260' 2>/run/tcpdump.err
	tcpdump_pid=${lab_pid:?}
	wait_for 20 grep -q 'listening on' /run/tcpdump.err
	traced wire -e -s "$sid"
	fio_run "$disk0" randrw 256k 4 701 --bssplit=4k/40:32k/30:64k/20:256k/10 >/run/fio.json 2>&1
	tracer_stop
	sleep 1
	kill -INT "$tcpdump_pid"
	wait "$tcpdump_pid" || true
	note dropped "$(awk '/dropped by kernel/ { print $1 }' /run/tcpdump.err)"
	cp /run/wire.pcap /host/wire.pcap
}

iqn=$(target_create plain --lun ramdisk:64 --lun delay:500:64 --lun linear:64 --lun error:64)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk0=$(disk_of "$sid" 0)
disk1=$(disk_of "$sid" 1)
disk2=$(disk_of "$sid" 2)
disk3=$(disk_of "$sid" 3)
for disk in $disk0 $disk1 $disk2 $disk3; do
	disk_nomerges "$disk"
done
for scenario; do
	echo "$scenario at $(cut -d' ' -f1 /proc/uptime) s"
	"$scenario"
done
finish
