#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a guest of the lab: a target, a session over a slow network, load by fio; traced live and counted twice.
# usage: demo-guest.sh PROGRAM
set -euo pipefail
program=$1
# shellcheck source=../lab/guest/lab.sh
. "$LAB/guest/lab.sh"
recording=/run/demo.recording

iqn=$(target_create demo)
# shellcheck disable=SC2119 # the default name will do
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
netem_delay 3
# The first start of a program takes seconds here: not while the table is waiting.
fio_run "$disk" read 4k 1 1 >/dev/null
"$program" --version >/dev/null
disk_settle "$disk"

echo
echo "Kernel $(uname -r), session $sid to $iqn; the network adds 3 ms each way. fio reads and writes 4 KiB at depth 8:"
echo "  # storprototrace -t $iqn 1"
# Both counts begin here: the disk is quiet.
before=$(counter "$sid" scsicmd_pdus)
start_in_background "$program" -t "$iqn" --record "$recording" 1
tracer=$lab_pid
# The recording gets its first reading when the hooks are attached and an interval has passed.
wait_for 60 grep -q reading "$recording"
fio_run "$disk" randrw 4k 8 4001 >/run/demo.fio
kill -TERM "$tracer"
wait "$tracer"
disk_settle "$disk"
after=$(counter "$sid" scsicmd_pdus)

totals=/run/demo.totals
"$program" --replay "$recording" --cumulative -j -b target,op | jq -s 'map(select(.type == "stats"))' >/run/demo.lines
# Each line is cumulative: the last one of each operation is the whole run.
jq 'group_by(.op) | map(last)' /run/demo.lines >"$totals"
traced=$(jq 'map(.pdus) | add' "$totals")
witness=$((after - before))

echo
echo "Where the time of a command went, on average, in ms:"
jq -r '.[] | select(.ios > 0) as $r | [$r.op] + ($r.stages | to_entries | map("\(.key) \(.value.sum_ns / $r.ios / 10000 | round / 100)"))
	| "  " + join("  ")' "$totals"
echo
printf '%-38s %14s %10s\n' '' storprototrace iscsiadm
printf '%-38s %14s %10s\n' "SCSI commands sent in session $sid" "$traced" "$witness"
[ "$traced" = "$witness" ] || { echo "The counts differ."; exit 1; }
echo "The counts agree."
