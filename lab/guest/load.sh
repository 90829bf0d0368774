# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Load on a disk, and the kernel's own count of it. Part of lab.sh.
# shellcheck shell=bash

# disk_stat sdX: /sys/block/sdX/stat as `name value`; sectors have 512 bytes, ticks are milliseconds.
disk_stat() {
	local names=(reads read_merges read_sectors read_ticks writes write_merges write_sectors write_ticks in_flight io_ticks
		time_in_queue discards discard_merges discard_sectors discard_ticks flushes flush_ticks) values i

	read -ra values <"/sys/block/$1/stat" || return
	for i in "${!values[@]}"; do
		echo "${names[$i]} ${values[$i]}"
	done
}

# disk_nomerges sdX: each request stays its own command, so that counts are known in advance.
disk_nomerges() {
	echo 2 >"/sys/block/$1/queue/nomerges"
}

# disk_depth sdX NUMBER: commands the disk may have under way.
disk_depth() {
	echo "$2" >"/sys/block/$1/device/queue_depth"
}

# fio_run sdX RW BS QD COUNT [FIO-OPTION...]: exactly COUNT direct I/Os; prints fio's JSON.
fio_run() {
	local disk=$1 rw=$2 bs=$3 depth=$4 count=$5 bytes

	shift 5
	lab_tool fio fio || return
	bytes=$(numfmt --from=iec "${bs^^}") || lab_fail "fio_run: '$bs' is not a block size" || return
	# io_size: go round a disk that is smaller than COUNT × BS. randrepeat: the same places in every run.
	fio --name=lab --filename="/dev/$disk" --ioengine=libaio --direct=1 --rw="$rw" --bs="$bytes" --iodepth="$depth" \
		--number_ios="$count" --io_size=$((bytes * count)) --randrepeat=1 --norandommap --disk_util=0 --thread \
		--output-format=json "$@"
}

# fio_value JSON-FILE FILTER: such as `.read.total_ios`.
fio_value() {
	lab_tool jq jq || return
	jq -r ".jobs[0]$2" "$1"
}
