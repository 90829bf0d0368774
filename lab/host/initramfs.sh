# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds the small initramfs that gets a guest from its kernel to this machine's root folder.
# shellcheck shell=bash
: "${lab_folder:?is set by the program}"

# virtio_console carries the script's output; the rest is needed before a root folder is there.
initramfs_modules=(virtio_pci 9pnet_virtio 9p overlay virtio_console)

# Adds one module, unpacked because busybox loads plain files only.
initramfs_add_module() {
	local file=$1 folder=$2 name

	name=$(basename "$file")
	name=${name%.xz} name=${name%.zst} name=${name%.gz}
	[ ! -e "$folder/$name" ] || return 0
	case $file in
	*.xz) xz -dc "$file" >"$folder/$name" ;;
	*.zst) zstd -qdc "$file" >"$folder/$name" ;;
	*.gz) gzip -dc "$file" >"$folder/$name" ;;
	*) cp "$file" "$folder/$name" ;;
	esac
	echo "$name" >>"$folder/order"
}

# initramfs_build KERNEL_FOLDER RELEASE OUTPUT
initramfs_build() {
	local kernel=$1 release=$2 output=$3 tree module line

	tree=$(mktemp -d "$output.XXXXXX")
	mkdir -p "$tree"/{bin,proc,sys,dev,modules}
	cp "$(command -v busybox)" "$tree/bin/busybox"
	cp "$lab_folder/host/initramfs-init" "$tree/init"
	chmod +x "$tree/init"
	for module in "${initramfs_modules[@]}"; do
		# What is built in needs nothing: it is reported as such, or as missing where modules.builtin is not packaged.
		{ modprobe -d "$kernel" -S "$release" --show-depends "$module" 2>/dev/null || true; } |
			sed -n 's/^insmod \(.*[^ ]\) *$/\1/p' |
			while IFS= read -r line; do
				initramfs_add_module "$line" "$tree/modules"
			done
	done
	# Not compressed: unpacking under emulation takes longer than reading a few megabytes.
	(cd "$tree" && find . | cpio -o -H newc --quiet) >"$tree.new"
	mv "$tree.new" "$output"
	rm -rf "$tree"
}

# initramfs_of KERNEL_FOLDER: prints the path of a fitting image, building it when there is none yet.
initramfs_of() {
	local kernel=$1 release key image busybox

	busybox=$(command -v busybox)
	if ldd "$busybox" >/dev/null 2>&1; then
		lab_die "$busybox is not static: install the package busybox-static"
	fi
	release=$(cat "$kernel/release")
	key=$(cat "$lab_folder"/host/initramfs.sh "$lab_folder"/host/initramfs-init "$busybox" "$kernel/release" |
		sha256sum | cut -c1-16)
	image=$(lab_cache_folder)/initramfs-$release-$key
	[ -s "$image" ] || initramfs_build "$kernel" "$release" "$image"
	echo "$image"
}
