# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: for some seconds, load on every disk, one fault after another at random, and sessions that come and go; then
# what the witnesses count and what is left in the tracer. Usage: soak.sh HOW SECONDS SEED. For soak.sh.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"
how=$1 seconds=$2 seed=$3

# from_to LOW HIGH: sets number, at random.
from_to() {
	number=$(($1 + RANDOM % ($2 - $1 + 1)))
}

# tenths LOW HIGH: sleeps so many tenths of a second, at random.
tenths() {
	from_to "$1" "$2"
	sleep "$((number / 10)).$((number % 10))"
}

fault_netem() {
	from_to 5 50
	netem_delay "$number"
	tenths 10 30
	netem_off
}

fault_delay() {
	from_to 0 80
	lun_delay "$iqn" 1 "$number"
}

fault_hold() {
	lun_hold "$iqn" 2
	tenths 5 20
	lun_release "$iqn" 2
}

fault_depth() {
	from_to 1 32
	disk_depth "$linear" "$number"
}

# Longer than the SCSI timeout: aborted, or with bad luck more than that.
fault_abort() {
	disk_timeout "$linear" 1
	lun_hold "$iqn" 2
	tenths 15 40
	lun_release "$iqn" 2
	disk_timeout "$linear" 30
}

# Longer than a ping may take: the session that pings loses its connection, the other does not.
fault_wire() {
	wire_down
	tenths 5 50
	wire_up
}

fault_reset() {
	timeout 30 sg_reset -N -d "/dev/$plain" || true
}

# resident NAME: KiB of memory that the tracer has.
resident() {
	note "$1" "$(awk '$1 == "VmRSS:" { print $2 }' "/proc/$tracer_pid/status")"
}

faults() {
	local all=(netem delay hold depth abort wire reset) end=$((SECONDS + seconds)) fault

	while [ "$SECONDS" -lt "$end" ]; do
		fault=${all[RANDOM % ${#all[@]}]}
		echo "$fault" >>/run/faults
		resident "rss.$SECONDS"
		"fault_$fault"
		tenths 0 20
	done
}

# comings: sessions log in, read, are counted and log out, until /run/enough is there.
comings() {
	local passing disk

	RANDOM=$((seed + 1))
	while [ ! -e /run/enough ]; do
		passing=$(session_login "$passing_iqn" 127.0.0.1:3262)
		disk=$(disk_of "$passing" 0)
		from_to 1 101
		fio_run "$disk" randread 4k 4 "$number" >/run/fio-passing.json
		note "pdus.$passing" "$(counter "$passing" scsicmd_pdus)"
		note "reads.$passing" "$(disk_stat "$disk" | awk '$1 == "reads" { print $2 }')"
		session_logout "$passing"
		tenths 0 30
	done
}

# endless DISK: a mix of reads and writes until it is told to stop.
endless() {
	start_in_background fio --name=lab --filename="/dev/$1" --ioengine=libaio --direct=1 --rw=randrw --bssplit=4k/70:64k/20:256k/10 \
		--iodepth=8 --time_based --runtime=86400 --disk_util=0 --rate_iops=40,40 --continue_on_error=all --randseed="$seed" \
		--output="/run/fio-$1.json" --output-format=json
	fio_pids+=("${lab_pid:?}")
}

# witness NAME: the initiator's counts of the two sessions that stay, and the disks' own.
witness() {
	local of disk

	for of in "$sid" "$fragile_sid"; do
		counters "$of" | while read -r counter value; do
			note "$1.$of.$counter" "$value"
		done
	done
	for disk in $plain $delayed $linear $fragile; do
		note "$1.$disk" "$(disk_stat "$disk" | awk '$1 == "reads" || $1 == "writes" { sum += $2 } END { print sum }')"
	done
}

# What is left in the tracer's maps, as MAP ENTRIES, and of commands in flight places taken and homes with others elsewhere.
maps_left() {
	local map

	for map in sums_0 sums_1 hists_0 hists_1 blocked recoveries nops; do
		note "map.$map" "$(bpftool -j map dump name "$map" | jq length)"
	done
	note map.inflight "$(bpftool map dump name inflight | grep -cE '"(sc|displaced)": [1-9]')"
}

# Nothing is under way: no disk has I/O in flight, and all sessions are back.
at_rest() {
	local of

	for of in "$sid" "$fragile_sid"; do
		session_is "$of" LOGGED_IN || return
	done
	[ "$(cat /sys/block/sd*/inflight | awk '{ sum += $1 + $2 } END { print sum + 0 }')" -eq 0 ]
}

iqn=$(target_create plain --lun ramdisk:64 --lun delay:5:64 --lun linear:64)
fragile_iqn=$(target_create fragile --portal 127.0.0.1:3261)
passing_iqn=$(target_create passing --portal 127.0.0.1:3262)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
fragile_sid=$(session_login "$fragile_iqn" 127.0.0.1:3261 'node.conn[0].timeo.noop_out_interval=1' \
	'node.conn[0].timeo.noop_out_timeout=1')
plain=$(disk_of "$sid" 0) delayed=$(disk_of "$sid" 1) linear=$(disk_of "$sid" 2) fragile=$(disk_of "$fragile_sid" 0)
tracer_start soak --attach "$how" -b sid,cid,lun,op -z --max-inflight 512 --max-keys 64
note sids "$sid,$fragile_sid"
note disks "$sid.0.$plain,$sid.1.$delayed,$sid.2.$linear,$fragile_sid.0.$fragile"
witness before
RANDOM=$seed
fio_pids=()
for disk in $plain $delayed $linear $fragile; do
	endless "$disk"
done
comings &
comings_pid=$!
sleep 10
echo "faults from $(cut -d' ' -f1 /proc/uptime) s on"
faults
echo "faults until $(cut -d' ' -f1 /proc/uptime) s: $(sort /run/faults | uniq -c | tr -s ' \n' ' ')"
touch /run/enough
wait "$comings_pid" || failed "a session could not come and go"
for pid in "${fio_pids[@]}"; do
	kill -INT "$pid"
	wait "$pid" || true
done
wait_for 90 at_rest
tracer_pass 4
witness after
resident rss_after
maps_left
tracer_stop
cp /run/fio-*.json "$check_share/"
finish
