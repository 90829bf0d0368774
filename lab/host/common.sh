# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the lab's programs on the machine share: messages, the cache folder, the check for needed tools.
# shellcheck shell=bash

# shellcheck disable=SC2034 # for the programs that read this file
LAB_EXIT_HUNG=124     # the guest was still running when its time was over
LAB_EXIT_LAB=125      # the lab itself failed, the script's result is not known
# shellcheck disable=SC2034
LAB_EXIT_WARNED=126   # the script succeeded, the guest's kernel complained

lab_note() {
	[ -n "${LAB_QUIET:-}" ] || echo "lab: $*" >&2
}

lab_error() {
	echo "lab: $*" >&2
}

lab_die() {
	lab_error "$*"
	exit "$LAB_EXIT_LAB"
}

# Prints the folder for what can be fetched or built again: outside the source tree, so a clean tree stays clean.
lab_cache_folder() {
	local folder=${STORPROTOTRACE_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/storprototrace-lab}

	mkdir -p "$folder" || lab_die "cannot make the cache folder $folder"
	(cd "$folder" && pwd -P)
}

# lab_need TOOL PACKAGE [TOOL PACKAGE]...: names every package that is missing, not only the first.
lab_need() {
	local missing=()

	# depmod, modprobe live in sbin, which a user's PATH often lacks.
	while [ $# -ge 2 ]; do
		command -v "$1" >/dev/null || missing+=("$1 (package $2)")
		shift 2
	done
	[ ${#missing[@]} -eq 0 ] && return 0
	local list
	list=$(printf ', %s' "${missing[@]}")
	lab_die "missing program: ${list#, }"
}
