# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: SESSIONS sessions to one target of LUNS LUNs, `scale SESSIONS LUNS READS`, or one session after another,
# `churn LOGINS READS`; some reads of each disk, counted by the disk's own stat. For scale.sh.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

disks_there() {
	local disks=(/sys/class/iscsi_session/session*/device/target*/*/block/sd*)

	[ "${#disks[@]}" -eq "$1" ]
}

# `SID LUN sdX` of each.
each_disk() {
	local path sid address

	for path in /sys/class/iscsi_session/session*/device/target*/*/block/sd*; do
		sid=${path#*/session} address=${path%/block/*}
		echo "${sid%%/*} ${address##*:} ${path##*/}"
	done
}

reads_of() {
	awk '{ print $1 }' "/sys/block/$1/stat"
}

# Nobody reads any more: disk_settle for all at once.
all_quiet() {
	local before now

	before=$(cat /sys/block/sd*/stat)
	sleep 1
	now=$(cat /sys/block/sd*/stat)
	[ "$before" = "$now" ]
}

# One fio for all disks, taking turns: READS of each.
read_all() {
	local names

	names=$(awk '{ printf "%s/dev/%s", (NR > 1 ? ":" : ""), $3 }' /run/disks)
	fio --name=lab --filename="$names" --ioengine=libaio --direct=1 --rw=randread --bs=4k --iodepth=64 \
		--number_ios=$(($(wc -l </run/disks) * $1)) --file_service_type=roundrobin --norandommap --io_size=1g --disk_util=0 \
		--thread --output-format=json >/run/fio.json
}

note_reads() {
	local sid lun disk

	while read -r sid lun disk; do
		note "$1.$sid.$lun" "$(reads_of "$disk")"
	done </run/disks
}

scale() {
	local sessions=$1 luns=$2 reads=$3 i lun

	iqn=$(target_create scale --lun ramdisk:1)
	for ((lun = 1; lun < luns; lun++)); do
		target_lun "$iqn" "$lun" ramdisk:1
	done
	echo "$luns LUNs at $(cut -d' ' -f1 /proc/uptime) s"
	sid=$(session_login "$iqn" 127.0.0.1:3260)
	for ((i = 1; i < sessions; i++)); do
		iscsiadm -m session -r "$sid" --op new >/dev/null || failed "session $i"
	done
	wait_for 120 disks_there $((sessions * luns))
	wait_for 60 all_quiet
	echo "$sessions sessions at $(cut -d' ' -f1 /proc/uptime) s"
	each_disk >/run/disks
	tracer_start scale -b sid,cid,lun,op -z
	note_reads before
	read_all "$reads"
	note_reads after
	note fio_reads "$(fio_value /run/fio.json .read.total_ios)"
	tracer_stop
	echo "end at $(cut -d' ' -f1 /proc/uptime) s"
}

# Each session takes two keys, for reads and for other commands: twice as many come and go as there is room for at once. All
# that each one read is counted, its scan, too.
churn() {
	local logins=$1 reads=$2 i sid disk

	iqn=$(target_create churn --lun ramdisk:1)
	tracer_start churn -b sid,cid,lun,op -z --max-keys 16
	for ((i = 0; i < logins; i++)); do
		sid=$(session_login "$iqn" 127.0.0.1:3260)
		disk=$(disk_of "$sid" 0)
		fio_run "$disk" randread 4k 4 "$reads" >/run/fio.json
		note "after.$sid.0" "$(reads_of "$disk")"
		note "before.$sid.0" 0
		note fio_reads "$reads"
		session_logout "$sid"
	done
	tracer_stop
	echo "end at $(cut -d' ' -f1 /proc/uptime) s"
}

initiator_start
"$@"
finish
