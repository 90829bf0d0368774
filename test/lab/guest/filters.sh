# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the guest: three sessions with different known loads while a tracer per filter runs. filters.sh looks at the results.
# shellcheck shell=bash
set -eu
# shellcheck source=../lab_check.bash
. "$(dirname "$0")/../lab_check.bash"
second_initiator=iqn.2026-01.org.storprototrace:second
# By default each tracer's tables take 140 MB of kernel memory; many at once must do with less.
small=(--max-keys 256 --no-session-events)
pids=()

# login_as INITIATOR IQN PORTAL: a session under another initiator's name; prints its sid.
login_as() {
	local before

	before=$(session_list)
	iscsiadm -m iface -I second -o new >/dev/null
	iscsiadm -m iface -I second -o update -n iface.initiatorname -v "$1" >/dev/null
	iscsiadm -m node -T "$2" -p "$3,1" -I second -o new >/dev/null
	timeout 60 iscsiadm -m node -T "$2" -p "$3" -I second --login >/dev/null
	session_new "$before"
}

set_up() {
	alpha=$(target_create alpha --portal 127.0.0.1:3260 --portal '[::1]:3260' --lun ramdisk:64 --lun ramdisk:64)
	long=$(target_create "$(iqn_of_length 223)" --lun ramdisk:64 --lun ramdisk:64)
	initiator_start
	one=$(session_login "$alpha" 127.0.0.1:3260)
	two=$(session_login "$alpha" '[::1]:3260')
	three=$(login_as "$second_initiator" "$long" 127.0.0.1:3260)
}

# expected SID LUN TARGET INITIATOR PORTAL READS WRITES OTHERS: a line of /host/expected for each kind of command.
expected() {
	local disk number=6 op

	disk=$(disk_of "$1" "$2")
	disk_nomerges "$disk"
	for op in read write other; do
		jq -nc --argjson sid "$1" --argjson lun "$2" --arg target "$3" --arg initiator "$4" --arg portal "$5" \
			--argjson ios "${!number}" --arg op "$op" --arg disk "$disk" '$ARGS.named'
		number=$((number + 1))
	done >>/host/expected
}

write_expected() {
	expected "$one" 0 "$alpha" "${initiator_default_name:?}" 127.0.0.1:3260 101 53 7
	expected "$one" 1 "$alpha" "${initiator_default_name:?}" 127.0.0.1:3260 103 59 0
	expected "$two" 0 "$alpha" "${initiator_default_name:?}" '[::1]:3260' 107 61 0
	expected "$two" 1 "$alpha" "${initiator_default_name:?}" '[::1]:3260' 109 67 11
	expected "$three" 0 "$long" "$second_initiator" 127.0.0.1:3260 113 71 13
	expected "$three" 1 "$long" "$second_initiator" 127.0.0.1:3260 127 73 0
}

# All of the load in /host/expected, its twelve disks' readers and writers at the same time.
load() {
	local disk op ios jobs=()

	while read -r disk op ios; do
		case $op in
		read) dd if="/dev/$disk" of=/dev/null bs=4k count="$ios" iflag=direct status=none & ;;
		write) dd if=/dev/zero of="/dev/$disk" bs=4k count="$ios" oflag=direct conv=notrunc status=none & ;;
		other) [ "$ios" -eq 0 ] || sg_turs -n "$ios" "/dev/$disk" & ;;
		esac
		jobs+=($!)
	done < <(jq -r '"\(.disk) \(.op) \(.ios)"' /host/expected)
	wait "${jobs[@]}"
}

# device NUMBER-OF-LINE: the disk in that line of /host/expected.
disk_at() {
	jq -rs ".[$1 * 3].disk" /host/expected
}

# NAME | what of /host/expected it must select | the arguments. Names with a + run live, the others by --replay only.
# The published tool's spellings are among them.
write_cases() {
	cat >/host/cases <<END
+all | true |
+target | .sid != $three | -t $alpha
target-pattern | .sid != $three | -t *:alph?
target-long | .sid == $three | -t $long
+initiator | .sid == $three | -i $second_initiator
initiator-pattern | .sid != $three | -i *:init*
+sid | .sid == $two | -s $two
sid-or | .sid != $two | -s $one -s $three
sid-cid | .sid == $two | -s $two -c 0
sid-no-cid | false | -s $two -c 1
+lun | .lun == 1 | -l 1
disk | .disk == "$(disk_at 3)" | -d $(disk_at 3)
disk-path | .disk == "$(disk_at 4)" | -d /dev/$(disk_at 4)
+disk-number | .disk == "$(disk_at 5)" | -d $(cat "/sys/block/$(disk_at 5)/dev")
read | .op == "read" | --op read
write | .op == "write" | --op write
+other | .op == "other" | --op other
read-write | .op != "other" | --op read,write
+target-lun | .sid != $three and .lun == 1 | -t $alpha -l 1
+sid-write | .sid == $one and .op == "write" | -s $one --op write
initiator-lun | .sid == $three and .lun == 0 | -i $second_initiator -l 0
+disk-read | .disk == "$(disk_at 1)" and .op == "read" | -d $(disk_at 1) --op read
target-sid | .sid == $two | -t $alpha -s $two
target-other-sid | false | -t $long -s $two
old-sid | .sid == $one | -sid $one
old-cid | true | -cid 0
+old-target | .sid == $three | -target $long
old-initiator | .sid == $three | --initiatorname $second_initiator
old-lun | .lun == 0 | -lun 0
END
}

# start NAME COMMAND...: in the background, until stop_all.
start() {
	local name=$1

	shift
	start_in_background "$@" >"/host/$name.json" 2>"/host/$name.err"
	pids+=("$lab_pid")
}

# hooked NAME: the last hook is on.
hooked() {
	grep -q 'hook iscsi_queuecommand' "/host/$1.err"
}

start_cases() {
	local name args

	while IFS='|' read -r name _ args; do
		read -ra args <<<"$args"
		name=${name% }
		[[ $name == +* ]] || continue
		start "${name#+}" "$check_binary" -v -j -b sid,lun,op "${small[@]}" "${args[@]}" 600
	done </host/cases
	start table "$check_binary" -v -t "$long" 600
	start table-write "$check_binary" -v -z -b sid,lun,op "${small[@]}" -s "$two" --op write 600
	start apply-target /host/filter_apply -v -z -b sid,lun,op "${small[@]}" -t "$alpha" 600
	start apply-lun-read /host/filter_apply -v -z -b sid,lun,op "${small[@]}" -l 1 --op read 600
	start record "$check_binary" -v --record /host/recording "${small[@]}" 600
}

stop_all() {
	local pid

	kill -TERM "${pids[@]}"
	for pid in "${pids[@]}"; do
		wait "$pid" || failed "a tracer ended with $?"
	done
	pids=()
}

# All tracers see the same load.
filters() {
	local err started=$SECONDS

	start_cases
	for err in /host/*.err; do
		wait_for 120 hooked "$(basename "$err" .err)" || cat "$err"
	done
	echo "${#pids[@]} tracers are hooked after $((SECONDS - started)) s"
	load
	stop_all
}

# reads_of SID: what the disks of both LUNs were asked for so far, their scan included.
reads_of() {
	local lun disk

	for lun in 0 1; do
		disk=$(disk_of "$1" "$lun")
		disk_stat "$disk"
	done | awk '$1 == "reads" { sum += $2 } END { print sum }'
}

# A session that comes and goes.
come_and_go() {
	local before new disk

	new=$((three + 1))
	start new-sid "$check_binary" -v -j -b sid,op "${small[@]}" -s "$new" 600
	start new-other "$check_binary" -v -j -b sid,op "${small[@]}" -t "$long" 600
	wait_for 60 hooked new-sid
	wait_for 60 hooked new-other
	tracer_interval=2 tracer_start come-and-go -b sid,op "${small[@]}"
	expect_equal "$(session_more "$one")" "$new" "the next session's number"
	disk=$(disk_of "$new" 0)
	before=$(reads_of "$new")
	tracer_pass 1
	dd if="/dev/$disk" of=/dev/null bs=4k count=53 iflag=direct status=none
	note reads $((before + 53))
	session_logout "$new"
	tracer_pass 1
	tracer_stop
	stop_all
}

# For a moment a new session has no names: iscsid is stopped then. An interval that ends meanwhile must not take the session
# for another target's, or its first commands are missed.
slow_login() {
	local new=$((three + 2)) daemon login

	daemon=$(pidof iscsid)
	tracer_interval=5 tracer_start slow-login -b sid,op "${small[@]}" -t "$alpha"
	session_more "$one" >/dev/null &
	login=$!
	until [ -d "/sys/class/iscsi_session/session$new" ]; do :; done
	# shellcheck disable=SC2086 # two processes
	kill -STOP $daemon
	note named "$(cat "/sys/class/iscsi_session/session$new/targetname")"
	tracer_pass 1
	# shellcheck disable=SC2086
	kill -CONT $daemon
	wait "$login"
	note reads "$(reads_of "$new")"
	note pdus "$(counter "$new" scsicmd_pdus)"
	tracer_stop
}

# once NAME ARG...: one run of its own; its exit status is noted.
once() {
	local status=0 name=$1

	shift
	timeout 60 "$check_binary" "$@" >"/host/$name.json" 2>"/host/$name.err" || status=$?
	echo "$name $status" >>/host/statuses
}

set_up
write_expected
write_cases
filters
come_and_go
slow_login
once once -once -verbose -sid "$one" -j
once strict --strict -s 99 -t "$alpha" -t iqn.absent -d sdzz -l 7 1
once absent -s 99 -t "$alpha" -t iqn.absent -d sdzz -l 7 0.5 2
finish
