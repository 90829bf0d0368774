# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: hosts that lack something, one after the other; what is taken away for good comes last. limits.sh looks at it.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"
here=$(dirname "$0")

read_disk() {
	dd if="/dev/$disk" of=/dev/null bs=4k count="$1" iflag=direct status=none
}

# run NAME COMMAND...: something that ends by itself; its exit status is noted.
run() {
	local status=0

	use "$1"
	shift
	timeout 120 "$@" >"$tracer_out" 2>"$tracer_err" || status=$?
	note status "$status"
}

# traced NAME ARG...: a tracer beside 53 reads; notes the capabilities it has meanwhile.
traced() {
	tracer_start "$@" -b sid,op
	note capabilities "$(awk '/^CapPrm/ { print $2 }' "/proc/$tracer_pid/status")"
	read_disk 53
	tracer_stop
}

# Instructions and stack of every program, with all that can be switched on, both ways of attaching.
programs() {
	local how

	for how in fentry kprobe; do
		[ "$how" = kprobe ] || [ -e /sys/kernel/btf/libiscsi ] || continue
		run "programs-$how" "$check_binary" -v -v -j -1 0.1 --attach "$how" -e --stuck 60000 -b sid,lun,op,size --op read -s "$sid" -l 0
	done
}

memory() {
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir /sys/fs/cgroup/small
	echo 256M >/sys/fs/cgroup/small/memory.max
	run memory bash -c 'echo $$ >/sys/fs/cgroup/small/cgroup.procs; exec "$@"' memory "$check_binary" -j -1 0.1 --max-inflight 1048576 --max-keys 1048576
	# Root may raise the limit of locked memory itself; this one may not.
	run memlock prlimit --memlock=65536:65536 setpriv --bounding-set -sys_resource --inh-caps -sys_resource "$check_binary" -j -1 0.1
}

# As in a privileged container: another root folder and PID namespace, the host's /sys.
container() {
	local root=/run/container folder inside

	mkdir -p "$root"
	for folder in usr lib lib64 bin etc dev sys host proc tmp work; do
		[ -d "/$folder" ] || continue
		mkdir -p "$root/$folder"
		mount --rbind "/$folder" "$root/$folder"
	done
	mkdir -p "$root$(dirname "$check_binary")"
	[ -x "$root$check_binary" ] || mount --bind "$(dirname "$check_binary")" "$root$(dirname "$check_binary")"
	use container
	: >"$tracer_out"
	start_in_background unshare --mount --pid --fork --kill-child=TERM --root "$root" --mount-proc "$check_binary" -j --attach kprobe -b sid,op 0.5 >"$tracer_out" 2>"$tracer_err"
	inside=$lab_pid
	wait_for 150 tracer_reports 1 || cat "$tracer_err"
	# A tracer outside does not take its events away.
	traced outside --attach kprobe
	use container
	read_disk 53
	tracer_pass 2
	kill -TERM "$(pgrep -P "$inside")"
	wait "$inside" || note ended $?
	cat /sys/kernel/tracing/kprobe_events >/host/events
}

pointers() {
	echo 2 >/proc/sys/kernel/kptr_restrict
	traced pointers
	run pointers-check "$check_binary" --check -j
	echo 1 >/proc/sys/kernel/kptr_restrict
}

# A kernel without BTF, as far as a program can see.
btf() {
	cat /sys/kernel/btf/vmlinux >/run/vmlinux.btf
	python3 "$here/false_btf.py" timer_list 8 </run/vmlinux.btf >/run/false.btf
	run false-btf "$check_binary" -j -1 0.1 --btf /run/false.btf
	mount -t tmpfs tmpfs /sys/kernel/btf
	run no-btf "$check_binary" 1 1
	run garbage-btf "$check_binary" -1 0.1 --btf /proc/version
	traced given-btf --btf /run/vmlinux.btf
	umount /sys/kernel/btf
}

lockdown() {
	echo integrity >/sys/kernel/security/lockdown
	traced integrity
	traced integrity-kprobe --attach kprobe
	echo confidentiality >/sys/kernel/security/lockdown
	run confidentiality "$check_binary" 1 1
	run confidentiality-check "$check_binary" --check -j
}

iqn=$(target_create limits)
initiator_start
sid=$(session_login "$iqn" 127.0.0.1:3260)
disk=$(disk_of "$sid" 0)
disk_nomerges "$disk"
run check "$check_binary" --check -j
note release "$(uname -r)"
programs
traced drop --drop
traced drop-kprobe --drop --attach kprobe
grep -c storprototrace_ /sys/kernel/tracing/kprobe_events >/host/left || true
memory
container
pointers
btf
lockdown
finish
