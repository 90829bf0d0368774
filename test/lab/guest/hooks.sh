# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: --check, --without each hook under a known load, and where structures' members lie. hooks.sh looks at it.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"

# check NAME ARG...: --check; its status is noted.
check() {
	local status=0

	use "$1"
	shift
	"$check_binary" --check -j "$@" >"$tracer_out" 2>"$tracer_err" || status=$?
	note status "$status"
}

check no-session
iqn=$(target_create hooked --lun ramdisk:64 --lun ramdisk:16)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
disk_nomerges "$disk"
check plain
check no-module-btf --no-module-btf
if [ -e /sys/kernel/btf/libiscsi ]; then
	check files --module-btf libiscsi=/sys/kernel/btf/libiscsi --module-btf libiscsi_tcp=/sys/kernel/btf/libiscsi_tcp
	check false-files --module-btf libiscsi=/sys/kernel/btf/iscsi_target_mod --module-btf libiscsi_tcp=/sys/kernel/btf/libiscsi_tcp
fi
check submit --without submit
check r2t --without r2t
"$check_binary" --check >/host/check.txt
"$check_binary" -v -1 0.01 >/run/out 2>/host/lies.plain
"$check_binary" -v -1 0.01 --no-module-btf >/run/out 2>/host/lies.computed
for hook in dequeue sent r2t response complete refused; do
	tracer_start "without-$hook" --without "$hook" -b sid,op
	fio_run "$disk" randread 4k 4 53 >/run/fio.json
	fio_run "$disk" randwrite 1m 2 7 >/run/fio.json
	tracer_stop
done
finish
