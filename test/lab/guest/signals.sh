# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: the tracer is stopped, killed, cut off and refused in every way. signals.sh looks at the results.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"
small=(--max-keys 256)
events=/sys/kernel/tracing/kprobe_events

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

hooked() {
	grep -q 'hook iscsi_queuecommand' "/host/$1.err"
}

# start NAME ARG...: a tracer that says when it is hooked; sets tracer_pid.
start() {
	use "$1"
	shift
	start_in_background "$check_binary" -v -j -b sid,op "${small[@]}" "$@" >"$tracer_out" 2>"$tracer_err"
	tracer_pid=$lab_pid
	wait_for 60 hooked "$(basename "$tracer_err" .err)" || cat "$tracer_err"
}

# stop SIGNAL: notes the exit status and how long the end took.
stop() {
	local status=0 started

	started=$(now_ms)
	kill -"$1" "$tracer_pid"
	wait "$tracer_pid" || status=$?
	note ms $(($(now_ms) - started))
	note status "$status"
}

read_disk() {
	dd if="/dev/$disk" of=/dev/null bs=4k count="$1" iflag=direct status=none
}

# All that a tracer could leave in the kernel.
kernel_objects() {
	bpftool prog list -j | jq -c '.[] | ["program", .id, .name]'
	bpftool link list -j | jq -c '.[] | ["link", .id, .type]'
	bpftool map list -j | jq -c '.[] | ["map", .id, .name]'
	cat "$events"
}

# The kernel frees with delay.
unchanged() {
	kernel_objects >/run/after
	cmp -s /run/before /run/after
}

expect_unchanged() {
	wait_for 10 unchanged && return
	failed "$1 leaves something in the kernel"
	diff /run/before /run/after || true
}

# One signal ends an interval of 60 s; what was counted is printed.
ended_by() {
	start "$1-$2" --attach "$1" 60
	read_disk 101
	note objects "$(kernel_objects | diff /run/before - | grep -c '^>')"
	stop "$2"
	expect_unchanged "$1, ended by $2"
}

events_of() {
	grep -c "_$1 " "$events" || true
}

# A killed tracer's events stay until the next one starts; those of a living one are left alone.
killed() {
	local living dead

	start living --attach kprobe 60
	living=$tracer_pid
	start dead --attach kprobe 60
	dead=$tracer_pid
	kill -KILL "$dead"
	wait "$dead" 2>/dev/null || true
	note events "$(events_of "$dead")"
	start third --attach "$1" 60
	use dead
	note events_later "$(events_of "$dead")"
	note living_events "$(events_of "$living")"
	read_disk 53
	use third
	stop TERM
	use living
	tracer_pid=$living
	stop INT
	expect_unchanged "one killed, then $1"
}

alive() {
	kill -0 "$tracer_pid" 2>/dev/null
}

# Started by a shell with `&`, a program has INT ignored; by nohup, HUP. They must stay so.
ignored() {
	use ignored
	bash -c 'trap "" INT HUP; exec "$@"' ignored "$check_binary" -v -j "${small[@]}" 60 >"$tracer_out" 2>"$tracer_err" &
	tracer_pid=$!
	wait_for 60 hooked ignored
	kill -INT "$tracer_pid"
	kill -HUP "$tracer_pid"
	sleep 2
	alive || failed "an ignored signal ended the tracer"
	stop TERM
}

has_lines() {
	[ -s "$1" ] && [ -s "$2" ]
}

# Files are moved away, HUP makes new ones; nothing is lost between them.
rotated() {
	start rotated -o /host/output --record /host/recording 0.5
	read_disk 67
	wait_for 30 has_lines /host/output /host/recording
	mv /host/output /host/output.1
	mv /host/recording /host/recording.1
	kill -HUP "$tracer_pid"
	read_disk 71
	wait_for 30 has_lines /host/output /host/recording
	stop TERM
}

hang_up() {
	start hang-up 60
	stop HUP
}

# head FORMAT: a reader that goes away after one line.
head_one() {
	use "head-$1"
	{
		status=0
		"$check_binary" -f "$1" "${small[@]}" 1 2>"$tracer_err" || status=$?
		note status "$status"
		note end "$(now_ms)"
	} | {
		head -n 1 >"$tracer_out"
		note begin "$(now_ms)"
	}
}

full() {
	local status=0

	use "full-$1"
	"$check_binary" -f "$1" "${small[@]}" 0.5 >/dev/full 2>"$tracer_err" || status=$?
	note status "$status"
}

nobody() {
	local status=0

	use nobody
	# The folders above the program need not be open to nobody.
	install -m 755 "$check_binary" /run/program
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all /run/program 1 1 >"$tracer_out" 2>"$tracer_err" || status=$?
	note status "$status"
}

# unloading HOW: can libiscsi_tcp be unloaded while hooked; and afterwards?
unloading() {
	local while_hooked=no after=no

	start "unloading-$1" --attach "$1" 60
	! rmmod libiscsi_tcp 2>/dev/null || while_hooked=yes
	stop TERM
	modprobe libiscsi_tcp
	rmmod libiscsi_tcp && after=yes
	note unloaded "$while_hooked, afterwards $after"
	modprobe libiscsi_tcp
	expect_unchanged "unloading while hooked by $1"
}

iqn=$(target_create signalled)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
disk_nomerges "$disk"
kernel_objects >/run/before
for how in fentry kprobe; do
	ended_by "$how" INT
	ended_by "$how" TERM
done
killed kprobe
ignored
rotated
hang_up
for format in table json; do
	head_one "$format"
	full "$format"
done
nobody
expect_unchanged "all of it"
session_logout "$sid"
rmmod iscsi_tcp
for how in fentry kprobe; do
	unloading "$how"
done
finish
