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
	local name=$1 of=$2 before from=$SECONDS

	shift 2
	rm -f /run/fio-*.json
	before=$(counters "$of")
	section "$name" "$of" "$@"
	{ echo "$before"; counters "$of"; } | awk '$1 in first { print $1, $2 - first[$1] } !($1 in first) { first[$1] = $2 }' |
		while read -r counter growth; do
			remark "$counter" "$growth"
		done
	remark seconds $((SECONDS - from))
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

# login PORT [KEY=VALUE...]: sets sid and disk, login_lun PORT LUN.
login() {
	sid=$(session_login "$iqn" "127.0.0.1:$1" "${@:2}")
	disk=$(disk_ready 0)
}

login_lun() {
	sid=$(session_login "$iqn" "127.0.0.1:$1")
	disk=$(disk_ready "$2")
}

disk_ready() {
	local disk

	disk=$(disk_of "$sid" "$1")
	disk_nomerges "$disk"
	echo "$disk"
}

# Data that needs no R2T, in small PDUs: 64 KiB do without, 256 KiB do not.
unsolicited() {
	iqn=$(target_create unsolicited --portal 127.0.0.1:3261 --param InitialR2T=No --param FirstBurstLength=65536)
	login 3261 node.session.iscsi.InitialR2T=No node.session.iscsi.FirstBurstLength=65536 \
		'node.conn[0].iscsi.MaxXmitDataSegmentLength=8192'
	[ "$(cat "/sys/class/iscsi_connection/connection$sid:0/max_xmit_dlength")" = 8192 ] || failed "larger PDUs than 8 KiB"
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

# Commands that send parameters: UNMAP and WRITE SAME(16), on a back end that can do both.
provisioning() {
	iqn=$(target_create provisioning --portal 127.0.0.1:3266 --lun file:64)
	target_lun_attrib "$iqn" 0 emulate_tpu=1
	target_lun_attrib "$iqn" 0 emulate_tpws=1
	login 3266
	opcodes_start 0
	witnessed provisioning "$sid" provisioning_load
	opcodes_end 42 93
}

provisioning_load() {
	local i

	# The list of blocks: two lengths, one descriptor of 8 blocks from block 1024 on.
	printf '\0\x16\0\x10\0\0\0\0\0\0\0\0\0\0\x04\0\0\0\0\x08\0\0\0\0' >/run/unmap
	for i in 1 2 3 4 5 6 7; do
		sg_raw -s 24 -i /run/unmap "/dev/$disk" 42 00 00 00 00 00 00 00 18 00 >/run/sg_raw.out 2>&1 ||
			failed "UNMAP $i: $(cat /run/sg_raw.out)"
	done
	for i in 1 2 3 4 5; do
		sg_raw -s 512 -i /dev/zero "/dev/$disk" 93 00 00 00 00 00 00 00 0$i 00 00 00 00 08 00 00 >/run/sg_raw.out 2>&1 ||
			failed "WRITE SAME(16) $i: $(cat /run/sg_raw.out)"
	done
}

# A target in user space, which knows nothing of the kernel's.
other_target() {
	iqn=iqn.2026-01.org.storprototrace:other
	truncate -s 64M /run/other.img
	mkdir -p /run/tgtd
	tgtd --iscsi portal=127.0.0.1:3267
	wait_for 20 tgtadm --mode sys --op show
	tgtadm --lld iscsi --mode target --op new --tid 1 --targetname "$iqn"
	tgtadm --lld iscsi --mode logicalunit --op new --tid 1 --lun 1 --backing-store /run/other.img
	tgtadm --lld iscsi --mode target --op bind --tid 1 --initiator-address ALL
	login_lun 3267 1
	witnessed other_target "$sid" mixed
}

mixed() {
	both 4k 101
	mv /run/fio-read.json /run/fio-read-small.json
	mv /run/fio-write.json /run/fio-write-small.json
	both 256k 41
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
