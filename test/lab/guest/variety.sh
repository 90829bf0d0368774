# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: known loads over sessions and LUNs of every kind, and what the witnesses say of them, as CASE.json and
# CASE.notes, for variety.sh.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

# witnessed NAME SID LOAD...: the load as a section of its own, with the growth of the initiator's counts. LOAD leaves the
# numbers of fio in /run/fio-*.json.
witnessed() {
	local name=$1 of=$2 before

	shift 2
	rm -f /run/fio-*.json
	before=$(counters "$of")
	section "$name" "$of" "$@"
	{ echo "$before"; counters "$of"; } | awk '$1 in first { print $1, $2 - first[$1] } !($1 in first) { first[$1] = $2 }' |
		while read -r counter growth; do
			remark "$counter" "$growth"
		done
	cat /dev/null /run/fio-*.json 2>/dev/null | jq -rs 'map(.jobs[0]) | ("read", "write") as $op |
		"\($op)s \(map(.[$op].total_ios) | add // 0)", "\($op)_bytes \(map(.[$op].io_bytes) | add // 0)"' |
		while read -r counter number; do
			remark "$counter" "$number"
		done
}

# both BS COUNT: reads, then writes, of that size.
both() {
	fio_run "$disk" randread "$1" 4 "$2" "${@:3}" >/run/fio-read.json
	fio_run "$disk" randwrite "$1" 4 "$2" "${@:3}" >/run/fio-write.json
}

# login PORT [KEY=VALUE...]: sets sid and disk.
login() {
	sid=$(session_login "$iqn" "127.0.0.1:$1" "${@:2}")
	disk=$(disk_ready 0)
}

disk_ready() {
	local disk

	disk=$(disk_of "$sid" "$1")
	disk_nomerges "$disk"
	echo "$disk"
}

# Data that needs no R2T, in small PDUs: 64 KiB do without, 256 KiB do not.
unsolicited() {
	iqn=$(target_create unsolicited --portal 127.0.0.1:3261 --param InitialR2T=No --param FirstBurstLength=65536 \
		--param MaxRecvDataSegmentLength=8192)
	login 3261 node.session.iscsi.InitialR2T=No node.session.iscsi.FirstBurstLength=65536
	witnessed unsolicited "$sid" both 64k 101
	witnessed unsolicited-more "$sid" both 256k 41
}

digests() {
	iqn=$(target_create digests --portal 127.0.0.1:3262)
	login 3262 'node.conn[0].iscsi.HeaderDigest=CRC32C' 'node.conn[0].iscsi.DataDigest=CRC32C'
	[ "$(cat "/sys/class/iscsi_connection/connection$sid:0/header_digest")" = 1 ] || failed "no header digest"
	[ "$(cat "/sys/class/iscsi_connection/connection$sid:0/data_digest")" = 1 ] || failed "no data digest"
	witnessed digests "$sid" both 128k 101
}

# 1 MiB in 64 KiB bursts: up to four R2Ts at once.
outstanding() {
	iqn=$(target_create outstanding --portal 127.0.0.1:3263 --param MaxOutstandingR2T=4 --param MaxBurstLength=65536 \
		--param FirstBurstLength=65536 --param ImmediateData=No)
	login 3263 node.session.iscsi.MaxOutstandingR2T=4 node.session.iscsi.MaxBurstLength=65536 \
		node.session.iscsi.FirstBurstLength=65536 node.session.iscsi.ImmediateData=No
	[ "$(cat "/sys/class/iscsi_session/session$sid/max_outstanding_r2t")" = 4 ] || failed "no four R2Ts at once"
	witnessed outstanding "$sid" both 1m 41
}

# Reads of one LUN and writes of another at once.
two_luns() {
	iqn=$(target_create two --portal 127.0.0.1:3264 --lun ramdisk:64 --lun ramdisk:64)
	login 3264
	other_disk=$(disk_ready 1)
	witnessed two_luns "$sid" at_once
}

at_once() {
	fio_run "$disk" randread 16k 8 1009 >/run/fio-read.json &
	fio_run "$other_disk" randwrite 64k 8 503 >/run/fio-write.json
	wait "$!"
}

# opcodes_start LUN, opcodes_end OPCODE...: how often the SCSI layer dispatched these to that LUN.
opcodes_start() {
	opcodes_trigger="hist:keys=opcode if lun == $1"
	echo "$opcodes_trigger" >/sys/kernel/tracing/events/scsi/scsi_dispatch_cmd_start/trigger
}

opcodes_end() {
	local opcode folder=/sys/kernel/tracing/events/scsi/scsi_dispatch_cmd_start

	for opcode in "$@"; do
		remark "opcode_$opcode" "$(awk -v wanted=$((16#$opcode)) '/^{ opcode:/ && $3 == wanted { sum += $NF }
			END { print sum + 0 }' $folder/hist)"
	done
	echo "!$opcodes_trigger" >$folder/trigger
}

# 3 TiB of zeroes: addresses of more than 32 bits need READ(16) and WRITE(16).
beyond() {
	lab_modules dm_mod dm_zero
	dmsetup create beyond --table '0 6442450944 zero'
	target_lun "$plain_iqn" 5 block:/dev/mapper/beyond
	iqn=$plain_iqn
	login 3260
	disk=$(disk_ready 5)
	opcodes_start 5
	witnessed beyond "$sid" both 4k 101 --offset=2500g --size=100g
	opcodes_end 88 8a
}

# An opcode that nobody knows. Needs `beyond` before it.
unknown() {
	disk=$(disk_ready 0)
	opcodes_start 0
	witnessed unknown "$sid" unknown_load
	opcodes_end d5
}

unknown_load() {
	local i

	for i in 1 2 3 4 5; do
		! sg_raw "/dev/$disk" d5 00 00 00 00 00 00 00 00 00 >/dev/null 2>&1 || failed "the target knows opcode d5 ($i)"
	done
}

# What comes in is worked on by the session's own worker, not in a softirq.
receive_queue() {
	local parameter=/sys/module/iscsi_tcp/parameters/recv_from_iscsi_q

	echo 1 >"$parameter"
	iqn=$(target_create receive --portal 127.0.0.1:3265)
	login 3265
	echo 0 >"$parameter"
	witnessed receive_queue "$sid" both 64k 101
}

plain_iqn=$(target_create plain --lun ramdisk:64)
initiator_start
tracer_start variety -b sid,cid,lun,op -z
for case in "$@"; do
	echo "$case at $(cut -d' ' -f1 /proc/uptime) s"
	"$case"
done
tracer_stop
echo "end at $(cut -d' ' -f1 /proc/uptime) s"
finish
