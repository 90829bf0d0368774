# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is behind a LUN: memory or device-mapper devices, as objects of the kernel's target. Part of lab.sh.
# shellcheck shell=bash

target_root=/sys/kernel/config/target
# One brd disk for each mapped LUN. A page of brd takes memory only once it is written, so the size costs nothing.
backstore_brd_count=32
backstore_brd_mb=1024
# There is no udev in the guest: dmsetup must make the device nodes itself.
export DM_DISABLE_UDEV=1

target_prepare() {
	[ -d "$target_root/core" ] && return 0
	mountpoint -q /sys/kernel/config || {
		modprobe -q configfs
		mount -t configfs configfs /sys/kernel/config || return
	}
	# The target writes its state there and complains when it cannot.
	mkdir -p /etc/target /var/target/pr /var/target/alua
	lab_modules target_core_mod iscsi_target_mod || return
	wait_for 10 test -d "$target_root/core"
	mkdir -p "$target_root/iscsi"
}

# backstore_number KIND: sets backstore_next to 0, 1, 2 … . Kept in a file: $(target_create …) runs in a subshell.
backstore_number() {
	local file=/run/lab-next-$1

	backstore_next=$(cat "$file" 2>/dev/null || echo 0)
	echo $((backstore_next + 1)) >"$file"
}

# Sets backstore_disk to the next unused brd disk.
backstore_brd() {
	if [ ! -b /dev/ram0 ]; then
		modprobe brd rd_nr="$backstore_brd_count" rd_size=$((backstore_brd_mb * 1024)) max_part=0 ||
			lab_fail "no kernel module brd in $(uname -r)" || return
		wait_for 5 test -b /dev/ram0 || return
	fi
	backstore_number brd
	[ "$backstore_next" -lt "$backstore_brd_count" ] || lab_fail "all $backstore_brd_count memory disks are in use" || return
	backstore_disk=/dev/ram$backstore_next
}

# backstore_table KIND SECTORS DISK [MS]: prints the device-mapper table.
backstore_table() {
	local kind=$1 sectors=$2 disk=$3 ms=${4:-0}

	case $kind in
	zero | error) echo "0 $sectors $kind" ;;
	linear) echo "0 $sectors linear $disk 0" ;;
	delay) echo "0 $sectors delay $disk 0 $ms" ;;
	esac
}

# backstore_map NAME KIND MB [MS]: makes /dev/mapper/NAME.
backstore_map() {
	local name=$1 kind=$2 mb=$3 ms=${4:-0}

	lab_tool dmsetup dmsetup || return
	lab_modules dm_mod || return
	case $kind in
	zero) lab_modules dm_zero ;;
	delay) lab_modules dm_delay ;;
	esac || return
	[ "$mb" -le "$backstore_brd_mb" ] || lab_fail "$kind: at most $backstore_brd_mb MB" || return
	backstore_disk=''
	case $kind in
	linear | delay) backstore_brd || return ;;
	esac
	backstore_table "$kind" $((mb * 2048)) "$backstore_disk" "$ms" | dmsetup create "$name" || return
	wait_for 5 test -b "/dev/mapper/$name" || return
	# The disk below, for a table that is changed later.
	mkdir -p /run/lab-backstore
	printf '%s\n' "$kind $mb $backstore_disk" >"/run/lab-backstore/$name"
}

# backstore_create NAME SPEC: makes an object of the target core and sets backstore_path to its configfs folder.
# SPEC: ramdisk:MB null:MB file:MB block:DEVICE zero:MB linear:MB error:MB delay:MS:MB
backstore_create() {
	local name=$1 spec=$2 kind=${2%%:*} rest=${2#*:} plugin control

	case $kind in
	ramdisk) plugin=rd_mcp control=rd_pages=$((rest * 256)) ;;
	null) plugin=rd_mcp control=rd_pages=$((rest * 256)),rd_nullio=1 ;;
	file)
		plugin=fileio control="fd_dev_name=/run/lab-$name.img,fd_dev_size=$((rest << 20))"
		truncate -s "${rest}M" "/run/lab-$name.img" || return ;;
	block) plugin=iblock control=udev_path=$rest ;;
	zero | linear | error)
		backstore_map "$name" "$kind" "$rest" || return
		plugin=iblock control=udev_path=/dev/mapper/$name ;;
	delay)
		backstore_map "$name" delay "${rest#*:}" "${rest%%:*}" || return
		plugin=iblock control=udev_path=/dev/mapper/$name ;;
	*) lab_fail "unknown back end '$spec'" || return ;;
	esac
	case $plugin in
	iblock) lab_modules target_core_iblock || return ;;
	fileio) lab_modules target_core_file || return ;;
	esac
	backstore_number hba
	backstore_path=$target_root/core/${plugin}_$backstore_next/$name
	mkdir -p "$backstore_path" || lab_fail "the target refuses the back end $spec" || return
	echo "$control" >"$backstore_path/control" || return
	echo 1 >"$backstore_path/enable" || lab_fail "the target cannot open the back end $spec" || return
	# A serial number of its own keeps several LUNs from looking like one disk.
	cat /proc/sys/kernel/random/uuid >"$backstore_path/wwn/vpd_unit_serial"
}
