# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Puts together the QEMU command of a guest.
# shellcheck shell=bash

# QEMU splits option values at commas; a doubled comma is a comma.
machine_quote() {
	echo "${1//,/,,}"
}

machine_share() {
	local tag=$1 path=$2 more=$3

	machine_command+=(-fsdev "local,id=$tag,path=$(machine_quote "$path"),security_model=none$more"
		-device "virtio-9p-pci,fsdev=$tag,mount_tag=$tag")
}

# machine_build KERNEL_FOLDER SHARE_FOLDER: sets machine_command.
# Reads machine_cpus, machine_icount, machine_append.
machine_build() {
	local kernel=$1 share=$2 initramfs accel=${STORPROTOTRACE_LAB_ACCEL:-tcg,thread=multi}

	initramfs=$(initramfs_of "$kernel")
	machine_command=(qemu-system-x86_64 -machine q35 -cpu max -m "${STORPROTOTRACE_LAB_MEMORY:-2048}"
		-nodefaults -display none -no-reboot)
	if [ -n "${machine_icount:-}" ]; then
		# One instruction takes one virtual nanosecond and idle time is skipped.
		machine_command+=(-accel "tcg,thread=single" -icount "shift=0,sleep=off" -smp 1)
	else
		machine_command+=(-accel "$accel" -smp "${machine_cpus:-2}")
	fi
	machine_command+=(-kernel "$kernel/vmlinuz" -initrd "$initramfs"
		-append "console=ttyS0 quiet panic=-1 nokaslr mitigations=off tsc=reliable ${machine_append:-}")
	# Other file systems mounted below / have inode numbers of their own: remap keeps them apart.
	machine_share root / ,readonly=on,multidevs=remap
	machine_share modules "$kernel/lib/modules" ,readonly=on
	machine_share share "$share" ,multidevs=remap
}

# The tools a run needs on the machine.
machine_need() {
	lab_need qemu-system-x86_64 qemu-system-x86 busybox busybox-static cpio cpio modprobe kmod \
		xz xz-utils zstd zstd setpriv util-linux timeout coreutils
}
