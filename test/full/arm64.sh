#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Built for arm64 with its distribution's libraries, the program runs (by emulation) and plays a recording as the native one does.
set -euo pipefail
source=${STORPROTOTRACE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
binary=${STORPROTOTRACE_BINARY:-$source/build/storprototrace}
recording=$source/test/recordings/three_sessions.jsonl
# shellcheck source=../../lab/host/common.sh
. "$source/lab/host/common.sh"
# shellcheck source=../../lab/host/archive.sh
. "$source/lab/host/archive.sh"

for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
	command -v "$tool" >/dev/null || { echo "skipped: $tool is missing (./install-deps.sh --for full)"; exit 77; }
done
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$suite" ] || { echo "skipped: the libraries are taken from a release of Debian, which this is not"; exit 77; }
root=$(lab_cache_folder)/arm64-$suite
work=$(mktemp -d "${TMPDIR:-/tmp}/storprototrace-arm64.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The libraries with all they need, unpacked beside the system.
fetch() {
	local package

	archive_open "$work/apt" "$suite" arm64
	apt-get -q "${archive_options[@]}" install -y --no-install-recommends --download-only \
		libbpf-dev libelf-dev zlib1g-dev libsmartcols-dev libjson-c-dev >"$work/fetch.log" 2>&1 || { cat "$work/fetch.log"; return 1; }
	mkdir "$work/root"
	for package in "$work"/apt/cache/archives/*.deb; do
		dpkg -x "$package" "$work/root"
	done
	mv "$work/root" "$root"
}

[ -d "$root" ] || fetch
PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig \
	cmake -S "$source" -B "$work/build" -DSTORPROTOTRACE_WERROR=ON -DSTORPROTOTRACE_TESTS=OFF -DCMAKE_SYSTEM_NAME=Linux \
	-DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_SYSROOT="$root" >"$work/cmake.log" ||
	{ cat "$work/cmake.log"; exit 1; }
cmake --build "$work/build" --parallel "$(nproc)" >"$work/build.log" 2>&1 || { tail -n 30 "$work/build.log"; exit 1; }
for arguments in -x "-j -b sid,lun,op" "-f openmetrics"; do
	# shellcheck disable=SC2086 # several arguments
	qemu-aarch64 -L "$root" "$work/build/storprototrace" --replay "$recording" $arguments >"$work/arm64"
	# shellcheck disable=SC2086
	"$binary" --replay "$recording" $arguments | cmp - "$work/arm64"
	echo "arm64, $arguments: $(wc -l <"$work/arm64") lines, the same"
done
