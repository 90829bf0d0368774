#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Installs, reports or lists the packages that building, testing and the lab need, per distribution.
set -euo pipefail

usage() {
	cat <<'END'
usage: ./install-deps.sh [--check | --print] [--for build|test|lab|full]...
Installs the packages that are missing, with sudo when not root. No service is started.
  --check      installs nothing: names what is missing, exit status 1 when something is
  --print      installs nothing: lists the packages
  --for GROUP  build, test (unit and command line tests) or lab (virtual iSCSI host); may be repeated; default: these three.
               full: what only check.sh --full needs: Prometheus and node_exporter (Debian starts them at the next boot), on
               Debian a compiler for arm64
Debian and Ubuntu, RHEL, Fedora and openEuler, SUSE, Arch.
END
}

die() {
	echo "install-deps.sh: $*" >&2
	exit 2
}

# Prints debian, rhel, suse or arch. os-release is sourced in a subshell: it sets much.
family() (
	# shellcheck source=/dev/null
	. /etc/os-release 2>/dev/null || . /usr/lib/os-release
	for id in ${ID:-} ${ID_LIKE:-}; do
		case ${id,,} in
		debian | ubuntu) echo debian && return ;;
		fedora | rhel | centos | openeuler) echo rhel && return ;;
		suse | sles | opensuse*) echo suse && return ;;
		arch) echo arch && return ;;
		esac
	done
	return 1
)

# os_is ID: exactly this distribution, not one like it.
os_is() (
	# shellcheck source=/dev/null
	. /etc/os-release
	[ "${ID,,}" = "$1" ]
)

# Ubuntu had bpftool in the kernel's tools until 24.04.
debian_bpftool() (
	# shellcheck source=/dev/null
	. /etc/os-release
	case $ID:${VERSION_ID:-} in
	ubuntu:22.* | ubuntu:23.* | ubuntu:24.04) echo linux-tools-common linux-tools-generic ;;
	*) echo bpftool ;;
	esac
)

# What clang's libFuzzer is in; elsewhere it comes with clang, or the test that wants it is left out.
debian_fuzzer() (
	# shellcheck source=/dev/null
	. /etc/os-release
	case $ID:${VERSION_ID:-} in
	debian:12) echo libclang-rt-14-dev ;;
	debian:13) echo libclang-rt-19-dev ;;
	ubuntu:24.04) echo libclang-rt-18-dev ;;
	esac
)

packages_debian() {
	case $1 in
	build) echo build-essential cmake pkg-config clang "$(debian_bpftool)" libbpf-dev libelf-dev zlib1g-dev \
		libsmartcols-dev libjson-c-dev libmicrohttpd-dev libncurses-dev ;;
	test) echo libgtest-dev jq shellcheck mandoc python3 python3-prometheus-client curl sqlite3 locales tmux \
		ncurses-base "$(debian_fuzzer)" ;;
	lab) echo qemu-system-x86 seabios busybox-static cpio kmod zstd xz-utils open-iscsi fio tcpdump tshark \
		iproute2 dmsetup jq sg3-utils procps tgt ;;
	full) echo prometheus prometheus-node-exporter gcc-aarch64-linux-gnu qemu-user ;;
	esac
}

packages_rhel() {
	case $1 in
	build) echo gcc gcc-c++ make cmake pkgconf-pkg-config clang bpftool libbpf-devel elfutils-libelf-devel \
		zlib-devel libsmartcols-devel json-c-devel libmicrohttpd-devel ncurses-devel ;;
	test) echo gtest-devel jq ShellCheck mandoc python3 curl sqlite glibc-locale-source compiler-rt tmux ;;
	lab)
		if os_is fedora; then echo qemu-system-x86-core; elif os_is openeuler; then echo qemu; else echo qemu-kvm; fi
		echo seabios-bin busybox cpio kmod zstd xz iscsi-initiator-utils fio tcpdump wireshark-cli iproute iproute-tc \
			device-mapper jq sg3_utils procps-ng dpkg apt
		;;
	full) echo golang-github-prometheus golang-github-prometheus-node-exporter ;;
	esac
}

packages_suse() {
	case $1 in
	build) echo gcc gcc-c++ make cmake pkg-config clang bpftool libbpf-devel libelf-devel zlib-devel \
		libsmartcols-devel libjson-c-devel libmicrohttpd-devel ncurses-devel ;;
	test) echo gtest jq ShellCheck mandoc python3 curl sqlite3 glibc-i18ndata tmux ;;
	lab) echo qemu-x86 qemu-seabios busybox-static cpio kmod zstd xz open-iscsi fio tcpdump wireshark iproute2 \
		device-mapper jq sg3_utils procps dpkg ;;
	full) echo golang-github-prometheus-prometheus golang-github-prometheus-node_exporter ;;
	esac
}

packages_arch() {
	case $1 in
	build) echo base-devel cmake pkgconf clang bpf libbpf libelf zlib util-linux-libs json-c libmicrohttpd ncurses ;;
	test) echo gtest jq shellcheck mandoc python curl sqlite compiler-rt tmux ;;
	lab) echo qemu-system-x86 seabios busybox cpio kmod zstd xz open-iscsi fio tcpdump wireshark-cli iproute2 \
		device-mapper jq sg3_utils procps-ng dpkg ;;
	full) echo prometheus prometheus-node-exporter gcc-aarch64-linux-gnu qemu-user ;;
	esac
}

# is_installed PACKAGE
is_installed() {
	case $family in
	debian) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
	rhel | suse) rpm -q --quiet --whatprovides "$1" >/dev/null 2>&1 ;;
	arch) pacman -Qq "$1" >/dev/null 2>&1 ;;
	esac
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "installing packages needs root, and there is no sudo"
	fi
}

# Debian starts what it installs unless /usr/sbin/policy-rc.d says no: ours does, for as long as the installation takes.
policy=/usr/sbin/policy-rc.d

deny_services() {
	[ ! -e "$policy" ] || return 0
	trap allow_services EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	printf '#!/bin/sh\n# install-deps.sh of storprototrace put this here and removes it again.\nexit 101\n' |
		as_root tee "$policy" >/dev/null
	as_root chmod 755 "$policy"
}

allow_services() {
	as_root rm -f "$policy"
}

install_debian() {
	local apt=(env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get -q -y -o Acquire::Retries=3
		-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold)

	# A source that does not answer may be one we do not need.
	as_root "${apt[@]}" update || echo "install-deps.sh: apt-get update failed, trying with what is there" >&2
	deny_services
	as_root "${apt[@]}" install --no-install-recommends "$@"
}

install_packages() {
	case $family in
	debian) install_debian "$@" ;;
	rhel) as_root dnf install -y --setopt=install_weak_deps=False "$@" ;;
	suse) as_root zypper --non-interactive install --no-recommends "$@" ;;
	arch) as_root pacman -S --needed --noconfirm "$@" ;;
	esac </dev/null
}

# Sets missing.
find_missing() {
	local package

	missing=()
	for package in "$@"; do
		is_installed "$package" || missing+=("$package")
	done
}

action=install groups=()
while [ $# -gt 0 ]; do
	case $1 in
	--check | --print) action=${1#--}; shift ;;
	--for)
		case ${2:-} in
		build | test | lab | full) groups+=("$2") ;;
		*) die "--for wants build, test, lab or full, not '${2:-}'" ;;
		esac
		shift 2
		;;
	-h | --help) usage; exit 0 ;;
	*) usage >&2; die "unknown argument '$1'" ;;
	esac
done
[ ${#groups[@]} -gt 0 ] || groups=(build test lab)
family=$(family) || die "unknown distribution: install what the README's Requirements name by hand"
mapfile -t packages < <(for group in "${groups[@]}"; do "packages_$family" "$group"; done | tr ' ' '\n' | sort -u)

case $action in
print)
	printf '%s\n' "${packages[@]}"
	exit 0
	;;
esac
find_missing "${packages[@]}"
if [ ${#missing[@]} -eq 0 ]; then
	echo "install-deps.sh: nothing is missing (${groups[*]})"
	exit 0
fi
echo "install-deps.sh: missing (${groups[*]}): ${missing[*]}"
[ "$action" = install ] || exit 1
install_packages "${missing[@]}"
find_missing "${packages[@]}"
[ ${#missing[@]} -eq 0 ] || die "still missing after the installation: ${missing[*]}"
echo "install-deps.sh: all is there (${groups[*]})"
