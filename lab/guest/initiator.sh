# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The open-iscsi initiator: daemon, sessions, their disks. Part of lab.sh.
# shellcheck shell=bash

initiator_default_name=iqn.2026-01.org.storprototrace:initiator

# Fresh folders in memory: the machine's own configuration and node records neither matter nor have to be readable.
initiator_configure() {
	local name=$1

	shift
	mkdir -p /etc/iscsi /var/lib/iscsi /run/lock/iscsi
	mountpoint -q /etc/iscsi || mount -t tmpfs tmpfs /etc/iscsi || return
	mountpoint -q /var/lib/iscsi || mount -t tmpfs tmpfs /var/lib/iscsi || return
	echo "InitiatorName=$name" >/etc/iscsi/initiatorname.iscsi
	{
		echo "node.startup = manual"
		# A slow guest answers pings late; a session dropped for that would spoil counts.
		echo "node.conn[0].timeo.noop_out_interval = 0"
		echo "node.conn[0].timeo.noop_out_timeout = 0"
		[ $# -eq 0 ] || printf '%s\n' "${@/=/ = }"
	} >/etc/iscsi/iscsid.conf
}

# 21: the daemon answers that there are no sessions yet.
initiator_answers() {
	local status=0

	iscsiadm -m session >/dev/null 2>&1 || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 21 ]
}

# initiator_start [IQN] [KEY=VALUE...]: starts iscsid; the keys are those of iscsid.conf and hold for all sessions.
initiator_start() {
	local name=$initiator_default_name

	if [[ ${1:-} == iqn.* ]]; then
		name=$1
		shift
	fi
	lab_tool iscsid open-iscsi || return
	lab_modules iscsi_tcp sd_mod || return
	initiator_configure "$name" "$@" || return
	iscsid || lab_fail "iscsid does not start" || return
	wait_for 20 pidof iscsid || return
	wait_for 20 initiator_answers
}

session_list() {
	local path

	for path in /sys/class/iscsi_session/session*; do
		[ ! -d "$path" ] || echo "${path##*/session}"
	done | sort -n
}

# session_new BEFORE: prints the one session that BEFORE, an earlier session_list, does not hold.
session_new() {
	local new

	new=$(comm -13 <(sort <<<"$1") <(session_list | sort))
	[[ $new =~ ^[0-9]+$ ]] || lab_fail "one new session expected, found: '${new//$'\n'/ }'" || return
	echo "$new"
}

# session_login IQN PORTAL [KEY=VALUE...]: prints the session's number (sid). Keys such as node.session.iscsi.InitialR2T=No.
session_login() {
	local iqn=$1 portal=$2,1 before setting

	shift 2
	before=$(session_list)
	iscsiadm -m node -T "$iqn" -p "$portal" -o new >/dev/null || lab_fail "no node record for $iqn at $portal" || return
	for setting in "$@"; do
		iscsiadm -m node -T "$iqn" -p "$portal" -o update -n "${setting%%=*}" -v "${setting#*=}" ||
			lab_fail "the initiator refuses $setting" || return
	done
	timeout 60 iscsiadm -m node -T "$iqn" -p "$portal" --login >/dev/null || lab_fail "no login to $iqn at $portal" || return
	session_new "$before"
}

# session_more SID: a second session to the same target and portal; prints its sid.
session_more() {
	local before

	before=$(session_list)
	timeout 60 iscsiadm -m session -r "$1" --op new >/dev/null || lab_fail "no second session beside $1" || return
	session_new "$before"
}

session_logout() {
	timeout 60 iscsiadm -m session -r "$1" -u >/dev/null || lab_fail "session $1 does not log out"
}

# session_state SID: LOGGED_IN, FAILED or FREE.
session_state() {
	cat "/sys/class/iscsi_session/session$1/state"
}

session_is() {
	[ "$(session_state "$1")" = "$2" ]
}

disk_find() {
	local path

	for path in "/sys/class/iscsi_session/session$1"/device/target*/*:0:0:"$2"/block/sd*; do
		[ -d "$path" ] || return 1
		echo "${path##*/}"
		return 0
	done
}

# Partition scan and the like are over when a second passes without I/O.
disk_settle() {
	local before now='' quiet=0

	for _ in {1..100}; do
		before=$now
		now=$(cat "/sys/block/$1/stat" "/sys/block/$1/inflight")
		quiet=$((quiet + 1))
		[ "$now" = "$before" ] || quiet=0
		[ "$quiet" -lt 5 ] || return 0
		sleep 0.1
	done
	lab_fail "disk $1 is still busy with I/O nobody asked for"
}

# disk_of SID LUN: prints sdX once it is there and quiet.
disk_of() {
	local disk

	wait_for 30 disk_find "$1" "$2" || lab_fail "session $1 got no disk for LUN $2" || return
	disk=$(disk_find "$1" "$2")
	wait_for 10 test -b "/dev/$disk" || return
	# Opening waits for the partition scan. A disk on an `error` back end can be opened, too.
	timeout 30 blockdev --getsize64 "/dev/$disk" >/dev/null || lab_fail "disk $disk cannot be opened" || return
	disk_settle "$disk" || return
	echo "$disk"
}

# counters SID: the initiator's own counts as `name value`, such as `scsicmd_pdus 101`.
counters() {
	timeout 20 iscsiadm -m session -r "$1" -s | sed -nE 's/^[[:space:]]+([A-Za-z0-9_]+): *([0-9]+).*/\1 \2/p'
}

# counter SID NAME: one of them.
counter() {
	counters "$1" | awk -v name="$2" '$1 == name { print $2; found = 1 } END { exit !found }' ||
		lab_fail "session $1 has no counter $2"
}
