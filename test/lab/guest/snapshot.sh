# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: a report every 50 ms, 200 of them at least, while two disks that keep nothing are read and written at depth 64.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

iqn=$(target_create quick --lun null:64 --lun null:64)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disks=("$(disk_of "$sid" 0)" "$(disk_of "$sid" 1)")
disk_nomerges "${disks[0]}"
disk_nomerges "${disks[1]}"
tracer_interval=0.05 tracer_start snapshot -b sid,cid,lun,op --record /host/snapshot.rec
first=$(grep -c '"type":"loss"' "$tracer_out")
rounds=0
until tracer_reports $((first + 260)); do
	fio_run "${disks[0]}" randread 4k 64 7001 >/run/fio.json &
	fio_run "${disks[1]}" randwrite 4k 64 7001 >/run/fio-write.json
	wait $!
	rounds=$((rounds + 1))
done
tracer_stop
note rounds "$rounds"
finish
