#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a guest of the lab: how lab.jsonl was recorded - two sessions, one over a slow network, and mixed load on both.
#   lab/run -k 6.1 -t 600 -s FOLDER test/recordings/record-guest.sh build/storprototrace    leaves FOLDER/lab.jsonl
# Of the intervals before and after the load only one each was kept.
set -euo pipefail
program=$1
# shellcheck source=../../lab/guest/lab.sh
. "$LAB/guest/lab.sh"

first=$(target_create first)
second=$(target_create second --portal 127.0.0.1:3261)
# shellcheck disable=SC2119 # the default name will do
initiator_start
first_disk=$(disk_of "$(session_login "$first" 127.0.0.1:3260)" 0)
second_disk=$(disk_of "$(session_login "$second" 127.0.0.1:3261)" 0)
fio_run "$first_disk" read 4k 1 1 >/dev/null
start_in_background "$program" --record /run/lab.jsonl 1 >/dev/null
tracer=$lab_pid
wait_for 300 grep -q reading /run/lab.jsonl
netem_delay 3
fio_run "$first_disk" randrw 4k 8 2003 >/dev/null &
fio_run "$second_disk" randrw 16k 4 1009 >/dev/null
wait $!
kill -TERM "$tracer"
wait "$tracer"
cp /run/lab.jsonl /host/lab.jsonl
