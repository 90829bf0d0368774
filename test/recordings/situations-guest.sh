#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a guest of the lab: one recording per situation that doc/examples.md explains.
#   lab/run -k 6.1 -c 1 -t 600 -s FOLDER test/recordings/situations-guest.sh build/storprototrace    leaves FOLDER/*.jsonl
set -euo pipefail
program=$1
# shellcheck source=../../lab/guest/lab.sh
. "$LAB/guest/lab.sh"

# recorded NAME INTERVALS COMMAND...: /host/NAME.jsonl gets what happens while the command runs: of the intervals in which
# there were commands the first so many.
recorded() {
	local file=/run/$1.jsonl kept=/host/$1.jsonl intervals=$2 tracer

	shift 2
	: >"$file"
	start_in_background "$program" --record "$file" --stuck 1000 1 >/dev/null
	tracer=$lab_pid
	wait_for 150 grep -q '"reading"' "$file"
	"$@"
	sleep 2
	kill -TERM "$tracer"
	wait "$tracer"
	grep -vF '"rows":[]' "$file" | sed "$((intervals + 1))q" >"$kept"
}

load() {
	fio_run "$@" >/dev/null
}

network_load() {
	netem_delay 10
	load "$plain" randrw 4k 4 1000
	netem_off
}

# Two LUNs of one session at a time: the delayed one is slow alone.
array_load() {
	load "$slow" randread 4k 4 200 &
	load "$plain" randread 4k 4 600
	wait $!
}

# More is asked for than the disk may have in flight.
queue_load() {
	disk_depth "$plain" 1
	load "$plain" randread 4k 16 600
	disk_depth "$plain" 32
}

stuck_load() {
	load "$held" randread 4k 4 400 &
	sleep 1
	lun_hold "$iqn" 2
	sleep 4
	lun_release "$iqn" 2
	wait $!
}

iqn=$(target_create vol1 --lun ramdisk:64 --lun delay:20:64 --lun linear:64)
narrow_iqn=$(target_create narrow --portal 127.0.0.1:3261 --attrib default_cmdsn_depth=2)
fragile_iqn=$(target_create fragile --portal 127.0.0.1:3262)
# shellcheck disable=SC2119 # the default name will do
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
plain=$(disk_of "$sid" 0) slow=$(disk_of "$sid" 1) held=$(disk_of "$sid" 2)
narrow=$(disk_of "$(session_login "$narrow_iqn" 127.0.0.1:3261)" 0)
load "$plain" read 4k 1 1

recorded network_20ms 2 network_load
recorded slow_array 3 array_load
recorded window_closed 3 load "$narrow" randread 4k 8 400
recorded local_queue 2 queue_load
recorded stuck_lun 6 stuck_load
fragile=$(disk_of "$(session_login "$fragile_iqn" 127.0.0.1:3262 'node.conn[0].timeo.noop_out_interval=1' \
	'node.conn[0].timeo.noop_out_timeout=2')" 0)
recorded healthy 2 load "$fragile" randwrite 4k 4 1500
