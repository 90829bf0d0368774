# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: known loads while the tracer runs, and what the witnesses say of them. counts.sh looks at the results.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

# load RW BS DEPTH COUNT: notes the growth of the disk's own stat (ms) and fio's mean (ns) of this load.
load() {
	local rw=$1 before now

	before=$(witness "$rw")
	# The clock that the kernel uses, too.
	fio_run "$disk" "rand$rw" "$2" "$3" "$4" --clocksource=clock_gettime >/run/fio.json
	now=$(witness "$rw")
	note "$rw.ios" $((${now% *} - ${before% *}))
	note "$rw.ticks" $((${now#* } - ${before#* }))
	note "$rw.fio_ns" "$(jq ".jobs[0].$rw | .slat_ns.mean + .clat_ns.mean" /run/fio.json)"
}

witness() {
	disk_stat "$disk" | awk -v op="$1" '$1 == op "s" { ios = $2 } $1 == op "_ticks" { ticks = $2 } END { print ios, ticks }'
}

# note_counters WHEN: the initiator's.
note_counters() {
	counters "$sid" | while read -r name value; do
		note "$1.$name" "$value"
	done
}

# way HOW: the options that make the tracer go that way.
way() {
	case $1 in
	computed) echo --attach kprobe --no-module-btf ;;
	*) echo --attach "$1" ;;
	esac
}

# The ways this kernel has; the machine looks at the same ones. Where modules have BTF, doing without is a way of its own.
find_ways() {
	local status=0

	$check_binary --attach fentry -1 0.01 >/run/fentry.out 2>/run/fentry.err || status=$?
	case $status in
	0) echo "fentry kprobe computed" ;;
	4) echo "kprobe" ;;
	*) return 1 ;;
	esac
}

# exact HOW DEPTH. Alone and undelayed a command is so short that what the disk's stat holds beyond scsi_done, 0.1 ms in this
# guest and up to 1.3 ms on a busy machine, would be a tenth of it.
exact() {
	[ "$2" -ne 1 ] || netem_delay 15
	# shellcheck disable=SC2046 # options
	tracer_start "$1-$2" $(way "$1") -b sid,cid,lun,op
	note_counters before
	load read 4k "$2" 1009
	load write 4k "$2" 1009
	note_counters after
	tracer_stop
	netem_off
}

# 1 MiB writes need R2Ts of 256 KiB each; 256 KiB reads come in several Data-Ins.
large() {
	# shellcheck disable=SC2046 # options
	tracer_start "$1-large" $(way "$1") -b sid,cid,lun,op
	note_counters before
	load read 256k 4 41
	load write 1m 4 23
	note_counters after
	tracer_stop
}

# One slow command in an interval, fast ones in the next, three times over.
maximum() {
	tracer_start maximum -b sid,cid
	for _ in 1 2 3; do
		dd if="/dev/$slow_disk" of=/dev/null bs=4k count=1 iflag=direct status=none
		tracer_pass 1
		fio_run "$disk" randread 4k 1 101 >/run/fio.json
		tracer_pass 1
	done
	tracer_stop
}

iqn=$(target_create counted --lun ramdisk:64 --lun delay:50:64)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
slow_disk=$(disk_of "$sid" 1)
disk_nomerges "$disk"
# Ends are accounted where they happen. By default they are first brought to the CPU that submitted, which takes a
# millisecond when that one sleeps.
echo 0 >"/sys/block/$disk/queue/rq_affinity"
ways=$(find_ways) || { failed "--attach fentry: $(cat /run/fentry.err)"; ways=kprobe; }
echo "$ways" >/host/ways
[[ $ways == *fentry* ]] || sed 's/^/no fentry here: /' /run/fentry.err
for how in $ways; do
	for depth in $(depths "$how"); do
		exact "$how" "$depth"
	done
	large "$how"
done
maximum
finish
