# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Delays and faults on the wire and behind a LUN. Part of lab.sh.
# shellcheck shell=bash

# netem_delay MS: each packet on lo is that much later, in both directions: a round trip takes twice as long.
netem_delay() {
	lab_tool tc iproute2 || return
	lab_modules sch_netem || return
	# A limit below the packets under way would drop some of them.
	tc qdisc replace dev lo root netem delay "$1ms" limit 100000 || lab_fail "no delay of $1 ms on lo"
}

netem_off() {
	tc qdisc del dev lo root 2>/dev/null || true
}

# wire_down, wire_up: everything on lo is lost until it is up again.
wire_down() {
	ip link set lo down
}

wire_up() {
	ip link set lo up
}

# lun_delay IQN LUN MS: changes the time a `delay` back end takes, while in use.
lun_delay() {
	local name kind mb disk

	name=$(target_backstore "$1" "$2")
	read -r kind mb disk <"/run/lab-backstore/$name" || return
	[ "$kind" = delay ] || lab_fail "LUN $2 is of the kind $kind, not delay" || return
	backstore_table delay $((mb * 2048)) "$disk" "$3" | dmsetup reload "$name" || return
	dmsetup resume "$name"
}

# lun_hold IQN LUN: commands to it are not answered until lun_release. Back ends zero, linear, delay, error.
lun_hold() {
	dmsetup suspend --noflush --nolockfs "$(target_backstore "$1" "$2")"
}

lun_release() {
	dmsetup resume "$(target_backstore "$1" "$2")"
}

# disk_timeout sdX SECONDS: when the initiator gives a command up and asks for its abort.
disk_timeout() {
	echo "$2" >"/sys/block/$1/device/timeout"
}
