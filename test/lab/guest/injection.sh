# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: for each row named as an argument, the same load without and with what is injected, as HOW-ROW-base.json and
# HOW-ROW.json. HOW, fentry or kprobe, is the first argument. For injection.sh.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

tracing=/sys/kernel/tracing

# traced NAME SID COMMAND...
traced() {
	section "$how-$1" "${@:2}"
}

# counts_end SID [COUNTS]: what the initiator has counted since COUNTS (else since its login), as notes of the whole run.
counts_end() {
	local of=$1
	local -A before=()

	while read -r counter number; do
		before[$counter]=$number
	done <<<"${2:-none 0}"
	use "$how"
	counters "$of" | while read -r counter number; do
		note "$counter.$of" $((number - ${before[$counter]:-0}))
	done
}

load() {
	fio_run "$@" >/run/fio.json
}

# background NUMBER DISK RW BS DEPTH COUNT: starts the load, waits until NUMBER of its commands are in flight;
# background_end.
background() {
	load "${@:2}" &
	background_pid=$!
	wait_for 20 in_flight "$2" "$1"
}

in_flight() {
	[ "$(awk '{ print $1 + $2 }' "/sys/block/$1/inflight")" -ge "$2" ]
}

background_end() {
	wait "$background_pid"
}

# --- rows: delays ---

netem() {
	traced netem-base "$sid" load "$plain" randread 4k 4 101
	netem_delay 25
	traced netem "$sid" load "$plain" randread 4k 4 101
	netem_off
}

# 512 KiB in bursts of 256 KiB: two R2Ts each.
r2t() {
	local burst_sid burst

	burst_sid=$(session_login "$burst_iqn" 127.0.0.1:3261 node.session.iscsi.MaxBurstLength=262144 \
		node.session.iscsi.ImmediateData=No)
	burst=$(disk_ready "$burst_sid" 0)
	traced r2t-base "$burst_sid" load "$burst" write 512k 1 101
	netem_delay 25
	traced r2t "$burst_sid" load "$burst" write 512k 1 101
	netem_off
	counts_end "$burst_sid"
	session_logout "$burst_sid"
}

delay() {
	lun_delay "$iqn" 1 0
	traced delay-base "$sid" load "$delayed" randread 4k 4 101
	lun_delay "$iqn" 1 80
	traced delay "$sid" load "$delayed" randread 4k 4 101
	lun_delay "$iqn" 1 20
}

# --- rows: windows and queues ---

# Which values did iscsi_queuecommand return, and how often? A probe of our own, counted by the kernel. It is made and
# removed while nothing calls the function: changing its code under load hangs an emulated guest.
returns_start() {
	# shellcheck disable=SC2016 # tracefs's variable
	echo 'r:lab/attempt iscsi_queuecommand ret=$retval:s32' >>$tracing/kprobe_events
	echo 'hist:keys=ret' >$tracing/events/lab/attempt/trigger
}

returns_end() {
	remark returned_zero "$(awk '/^{ ret:/ && $3 == 0 { sum += $NF } END { print sum + 0 }' $tracing/events/lab/attempt/hist)"
	remark returned_other "$(awk '/^{ ret:/ && $3 != 0 { sum += $NF } END { print sum + 0 }' $tracing/events/lab/attempt/hist)"
	remark return_misses "$(awk '$1 == "attempt" { print $3 }' $tracing/kprobe_profile)"
	echo '!hist:keys=ret' >$tracing/events/lab/attempt/trigger
	echo '-:lab/attempt' >>$tracing/kprobe_events
}

# The window stays what it was at the initiator's first login.
narrow_login() {
	[ -z "${narrow_sid:-}" ] || return 0
	narrow_sid=$(session_login "$narrow_iqn" 127.0.0.1:3262)
	narrow=$(disk_ready "$narrow_sid" 0)
}

window3() {
	narrow_login
	traced window3-base "$sid" load "$delayed" randread 4k 3 307
	returns_start
	traced window3 "$narrow_sid" load "$narrow" randread 4k 3 307
	returns_end
}

window8() {
	narrow_login
	traced window8-base "$sid" load "$delayed" randread 4k 8 307
	returns_start
	traced window8 "$narrow_sid" load "$narrow" randread 4k 8 307
	returns_end
}

depth() {
	traced depth-base "$sid" load "$delayed" randread 4k 8 101
	disk_depth "$delayed" 1
	traced depth "$sid" load "$delayed" randread 4k 8 101
	disk_depth "$delayed" 32
}

# --- rows: a slow wire ---

# rate_on MATCH: 20 Mbit/s for the packets of lo that u32 matches, the others as ever.
rate_on() {
	lab_modules sch_netem sch_prio cls_u32
	tc qdisc add dev lo root handle 1: prio bands 4 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
	tc qdisc add dev lo parent 1:4 handle 40: netem rate 20mbit limit 100000
	# shellcheck disable=SC2086 # two words
	tc filter add dev lo parent 1: protocol ip u32 match ip $1 0xffff flowid 1:4
}

# Small packets and a small send buffer: what the wire does not take is felt where the data is given to the socket.
thin_login() {
	ip link set lo mtu 1500
	[ -z "${thin_sid:-}" ] || return 0
	echo 4096 16384 65536 >/proc/sys/net/ipv4/tcp_wmem
	thin_sid=$(session_login "$thin_iqn" 127.0.0.1:3263 node.session.iscsi.MaxBurstLength=1048576 \
		node.session.iscsi.ImmediateData=No)
	thin=$(disk_ready "$thin_sid" 0)
}

# thin NAME MATCH RW DEPTH
thin() {
	thin_login
	traced "$1-base" "$thin_sid" load "$thin" "$3" 1m "$4" 101
	rate_on "$2"
	traced "$1" "$thin_sid" load "$thin" "$3" 1m "$4" 101
	netem_off
	ip link set lo mtu 65536
}

uplink1() {
	thin uplink1 "dport 3263" write 1
}

uplink4() {
	thin uplink4 "dport 3263" write 4
}

downlink() {
	thin downlink "sport 3263" read 1
}

# --- rows: this host ---

# Takes its CPU for 60 ms of 80, before everything that is not real time. No other process is started on the way.
# shellcheck disable=SC2016 # variables of the inner shell
hog() {
	chrt -f 50 taskset -c 1 bash -c 'exec {never}<> <(:)
		while :; do
			end=$((${EPOCHREALTIME/./} + 60000))
			while [ "${EPOCHREALTIME/./}" -lt "$end" ]; do :; done
			read -r -t 0.02 -u "$never" _
		done'
}

worker() {
	local path host hog_pid mask

	path=$(readlink -f "/sys/class/iscsi_session/session$sid/device")
	host=${path%/session*}
	mask=/sys/devices/virtual/workqueue/iscsi_q_${host##*/host}/cpumask
	traced worker-base "$sid" load "$plain" randread 4k 1 307 --cpus_allowed=0
	echo 2 >"$mask"
	hog &
	hog_pid=$!
	sleep 1
	traced worker "$sid" load "$plain" randread 4k 1 307 --cpus_allowed=0
	kill "$hog_pid"
	wait "$hog_pid" || true
	echo 3 >"$mask"
}

# --- rows: standstills ---

# note_since MICROSECONDS NAME: milliseconds since then.
note_since() {
	remark "$2" $(((${EPOCHREALTIME/./} - $1) / 1000))
}

# Two are at the target, six wait behind them.
held() {
	disk_depth "$linear" 2
	traced held-base "$sid" load "$linear" randread 4k 8 101
	traced held "$sid" held_load
	disk_depth "$linear" 32
}

held_load() {
	local first last

	lun_hold "$iqn" 2
	first=${EPOCHREALTIME/./}
	background 2 "$linear" randread 4k 8 101
	last=${EPOCHREALTIME/./}
	sleep 5
	note_since "$last" held_least_ms
	lun_release "$iqn" 2
	note_since "$first" held_most_ms
	background_end
}

# A session that pings; a slow guest can be late for them, so it lives for its own rows only.
fragile_login() {
	fragile_sid=$(session_login "$fragile_iqn" 127.0.0.1:3264 'node.conn[0].timeo.noop_out_interval=1' \
		'node.conn[0].timeo.noop_out_timeout=1')
	fragile=$(disk_ready "$fragile_sid" 0)
}

# drop NAME DEPTH COUNT NUMBER: NUMBER of the DEPTH commands are at the target.
drop() {
	fragile_login
	disk_depth "$fragile" "$4"
	traced "$1-base" "$fragile_sid" load "$fragile" write 4k "$2" "$3"
	traced "$1" "$fragile_sid" drop_load "$2" "$3" "$4"
	counts_end "$fragile_sid"
	session_logout "$fragile_sid"
}

drop_load() {
	local from before

	before=$(counter "$fragile_sid" scsicmd_pdus)
	background "$3" "$fragile" write 4k "$1" "$2"
	wire_down
	from=${EPOCHREALTIME/./}
	sleep 6
	note_since "$from" down_ms
	wire_up
	background_end
	remark pdus $(($(counter "$fragile_sid" scsicmd_pdus) - before))
}

drop1() {
	drop drop1 1 101 1
}

drop8() {
	drop drop8 8 211 4
}

abort_asked() {
	[ "$(dmesg | grep -c 'ABORT_TASK: Found referenced')" -gt "$1" ]
}

abort() {
	traced abort-base "$sid" load "$linear" randread 4k 1 1
	disk_timeout "$linear" 2
	traced abort "$sid" abort_load
	disk_timeout "$linear" 30
}

abort_load() {
	local aborts

	aborts=$(dmesg | grep -c 'ABORT_TASK: Found referenced' || true)
	lun_hold "$iqn" 2
	background 1 "$linear" randread 4k 1 1
	wait_for 30 abort_asked "$aborts"
	lun_release "$iqn" 2
	background_end
}

# --- rows: failures ---

# failures_start DISK: the kernel counts the disk's READ(10) by result, and its requests that failed.
failures_start() {
	local path number lun major minor

	path=$(readlink -f "/sys/block/$1/device")
	path=${path##*/}
	IFS=: read -r number _ _ lun <<<"$path"
	IFS=: read -r major minor <"/sys/block/$1/dev"
	failed_attempts="hist:keys=result if host_no == $number && lun == $lun && opcode == 0x28"
	failed_requests="hist:keys=error if dev == $((major << 20 | minor))"
	echo "$failed_attempts" >$tracing/events/scsi/scsi_dispatch_cmd_done/trigger
	echo "$failed_requests" >$tracing/events/block/block_rq_error/trigger
	dmesg -C
}

# The messages of a disk are limited in their rate: their words count, not their number.
failures_end() {
	local failed=$tracing/events/scsi/scsi_dispatch_cmd_done requests=$tracing/events/block/block_rq_error

	grep '^{ result:' $failed/hist >"$check_share/$how-$1.results" || true
	remark attempts_failed "$(awk '$3 != 0 { sum += $NF } END { print sum + 0 }' "$check_share/$how-$1.results")"
	remark requests_failed "$(awk '/^{ error:/ { sum += $NF } END { print sum + 0 }' $requests/hist)"
	remark fio_errors "$(fio_value /run/fio.json .total_err)"
	dmesg | grep "$2" >"$check_share/$how-$1.log" || true
	echo "!$failed_attempts" >$failed/trigger
	echo "!$failed_requests" >$requests/trigger
}

broken() {
	failures_start "$broken"
	traced broken "$sid" broken_load
	failures_end broken "$broken"
}

broken_load() {
	fio_run "$broken" randread 4k 4 101 --continue_on_error=all >/run/fio.json 2>/dev/null || true
}

removed() {
	failures_start "$doomed"
	traced removed "$sid" removed_load
	failures_end removed "$doomed"
}

# A fifth has been read when the LUN goes; the rest takes some seconds more, for the target is not quick in that.
removed_load() {
	local reads

	reads=$(disk_stat "$doomed" | awk '$1 == "reads" { print $2 }')
	fio_run "$doomed" randread 4k 4 1009 --rate_iops=50 --continue_on_error=all >/run/fio.json 2>/dev/null &
	background_pid=$!
	wait_for 20 has_read "$doomed" $((reads + 200))
	rm "$(target_group "$iqn")/lun/lun_4/$(target_backstore "$iqn" 4)"
	wait "$background_pid" || true
	ln -s "${target_root:?is set by lab.sh}"/core/*/"$(target_backstore "$iqn" 4)" "$(target_group "$iqn")/lun/lun_4/"
}

has_read() {
	[ "$(disk_stat "$1" | awk '$1 == "reads" { print $2 }')" -ge "$2" ]
}

# disk_ready SID LUN: prints the disk; no request is merged.
disk_ready() {
	local disk

	disk=$(disk_of "$1" "$2")
	disk_nomerges "$disk"
	echo "$disk"
}

iqn=$(target_create plain --lun ramdisk:64 --lun delay:20:64 --lun linear:64 --lun error:64 --lun ramdisk:64)
burst_iqn=$(target_create burst --portal 127.0.0.1:3261 --param MaxBurstLength=262144 --param ImmediateData=No)
narrow_iqn=$(target_create narrow --portal 127.0.0.1:3262 --attrib default_cmdsn_depth=2 --lun delay:20:64)
thin_iqn=$(target_create thin --portal 127.0.0.1:3263 --param MaxBurstLength=1048576 --param ImmediateData=No)
fragile_iqn=$(target_create fragile --portal 127.0.0.1:3264 --lun delay:20:64)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
plain=$(disk_ready "$sid" 0)
delayed=$(disk_ready "$sid" 1)
linear=$(disk_ready "$sid" 2)
broken=$(disk_ready "$sid" 3)
doomed=$(disk_ready "$sid" 4)
how=$1
tracer_start "$how" --attach "$how" -b sid,cid,lun,op -z -e
counts_begin=$(counters "$sid")
for row in "${@:2}"; do
	echo "$row at $(cut -d' ' -f1 /proc/uptime) s"
	"$row"
done
counts_end "$sid" "$counts_begin"
for of in ${narrow_sid:-} ${thin_sid:-}; do
	counts_end "$of"
done
tracer_stop
echo "end at $(cut -d' ' -f1 /proc/uptime) s"
finish
