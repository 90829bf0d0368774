# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The lab's library for scripts in the guest: `. "$LAB/guest/lab.sh"`. Every wait is bounded and says what did not come.
# shellcheck shell=bash

lab_say() {
	echo "lab: $*" >&2
}

# For `|| lab_fail MESSAGE` at the end of a line: says it and is a failure itself.
lab_fail() {
	lab_say "$*"
	return 1
}

# lab_tool TOOL PACKAGE: the root folder is the machine's, so that is where a missing program is to be installed.
lab_tool() {
	command -v "$1" >/dev/null || lab_fail "$1 is missing: install the package $2 on the machine"
}

# wait_for SECONDS COMMAND...: until the command succeeds; its output is not shown.
wait_for() {
	local seconds=$1 end

	shift
	end=$((SECONDS + seconds))
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || lab_fail "waited $seconds s in vain for: $*" || return
		sleep 0.1
	done
}

# lab_modules NAME...: loads them, and says which one the kernel does not have.
lab_modules() {
	local module

	for module in "$@"; do
		# Built in: then modprobe may not know it.
		[ ! -d "/sys/module/$module" ] || continue
		modprobe "$module" || lab_fail "no kernel module $module in $(uname -r)" || return
	done
}

# start_in_background COMMAND...: sets lab_pid. A plain `&` in a script leaves SIGINT ignored in what it starts.
start_in_background() {
	env --default-signal=INT,QUIT "$@" &
	# shellcheck disable=SC2034 # for the caller
	lab_pid=$!
}

# shellcheck source=backstore.sh
. "$LAB/guest/backstore.sh"
# shellcheck source=target.sh
. "$LAB/guest/target.sh"
# shellcheck source=initiator.sh
. "$LAB/guest/initiator.sh"
# shellcheck source=load.sh
. "$LAB/guest/load.sh"
# shellcheck source=fault.sh
. "$LAB/guest/fault.sh"
