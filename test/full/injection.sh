#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each stage is true: what is made slow or broken on purpose shows in the stage it belongs to, by as much as was injected,
# and the other stages stay what they were. Every row on 6.1 by fentry; by kprobes, and on the
# other kernels, the rows that take little time, or with INJECTION=full all of them.
# shellcheck disable=SC2016 # jq's variables
set -u
# shellcheck source=../lab/lab_check.bash
. "$(dirname "$0")/../lab/lab_check.bash"

all_rows="netem r2t delay window3 window8 depth uplink1 uplink4 downlink worker held drop1 drop8 abort broken removed"

# Of the commands of an operation, each with its event: the mean ms of each stage, over the share of them that took the least
# (an emulated machine stands still now and then).
# shellcheck disable=SC2016 # jq's variables
means='[inputs | select(.type == "command" and .op == $op) | .stages] | sort_by(.total) |
	.[:length * $share | ceil] | . as $commands | ([length, 1] | max) as $ios |
	reduce ("block", "busy", "queue", "send", "r2t", "data_out", "target", "data_in", "done", "total") as $stage
	({}; .[$stage] = ($commands | map(.[$stage] // 0) | (add // 0) / $ios / 1e6))'

# stage_means: of the run in use.
stage_means() {
	jq -n --arg op "$op" --argjson share "$share" "$means" "$tracer_out"
}

# begin ROW OP COUNT [SHARE]: what follows is about that row. Sets base and now: the mean ms of each stage, as JSON. SHARE is
# a half where every command has to be as late as the others, 1 where few are struck.
begin() {
	local share=${4:-0.9}

	op=$2 base=null
	what="$kernel $how $row"
	if [ -e "$check_share/$how-$row-base.json" ]; then
		use "$how-$row-base"
		base=$(stage_means)
		complete "$3"
	fi
	use "$how-$row"
	now=$(stage_means)
	echo "$what: ms of a $op: $(jq -rn --argjson b "$base" --argjson n "$now" 'def short: . * 10 | round / 10;
		[$n | to_entries[] | "\(.key) \(if $b then "\($b[.key] | short) → " else "" end)\(.value | short)"] | join(", ")')"
	complete "$3"
}

# complete COUNT: every command was counted. Only kprobes may lose, and must say so; sets lost to that.
complete() {
	lost=$(losses | tr '\n' ' ')
	[ "$how" = kprobe ] || expect_equal "$lost" "" "$what: losses"
	expect_equal $(($(total ".op == \"$op\"" .ios) + $(loss no_start) + $(loss stale))) "$1" "$what: commands, seen + lost"
	expect_sound
}

# counts NAME=NUMBER...: of the row's operation.
counts() {
	local item

	[ -z "$lost" ] || return 0
	for item in "$@"; do
		expect_equal "$(total ".op == \"$op\"" ".${item%=*}")" "${item#*=}" "$what: ${item%=*}"
	done
}

# expect EXPRESSION: over $b and $n, the mean ms without and with what was injected. The machine may have stood still for
# a while: a row whose times (not: counts) are wrong is tried again; sets again.
expect() {
	if [ -n "$last_try" ]; then
		expect_true "$1" "$what" --argjson b "$base" --argjson n "$now"
	elif ! jq -ne "$1" --argjson b "$base" --argjson n "$now" >/dev/null; then
		echo "$what: again, as not $1"
		again=1
	fi
}

# grows STAGE MS: by that much, and not by much more.
grows() {
	expect "\$n.$1 - \$b.$1 >= $2 * 0.98 and \$n.$1 - \$b.$1 <= $2 * 1.2 + 3"
}

# others STAGE...: all but these stay what they were, as far as an emulated machine is ever the same. If time had moved
# from one of them to where it does not belong, that one would have grown by too much.
others() {
	local stage

	for stage in block busy queue send r2t data_out target data_in "done"; do
		[[ " $* " == *" $stage "* ]] || expect "\$n.$stage - \$b.$stage <= ([3, \$b.$stage * 0.2] | max)"
	done
}

check_netem() {
	begin netem read 101 0.5 && grows target 50 && others target
}

# 25 ms each way: a round trip for each of the two R2Ts and one from the last data to the response.
check_r2t() {
	begin r2t write 101 0.5 && grows r2t 100 && grows target 50 && others r2t target
	counts r2ts=202
}

check_delay() {
	begin delay read 101 0.5 && grows target 80 && others target
}

# Every refusal is a value that iscsi_queuecommand returned, and the other way round.
check_refusals() {
	expect_equal "$(noted return_misses)" 0 "$what: returns that the witness missed"
	counts refused="$(noted returned_other)" refused_window="$(noted returned_other)" pdus="$(noted returned_zero)"
	expect_more "$(noted returned_other)" 0 "$what: refusals"
}

# Three want to be at a target that lets in two and takes 20 ms: one waits 10 ms on average.
check_window3() {
	begin window3 read 307
	expect '$n.busy - $b.busy >= 8'
	others busy target
	check_refusals
}

check_window8() {
	begin window8 read 307
	expect '$n.block + $n.busy > $n.total / 2 and $n.block > $b.block and $n.busy > $b.busy'
	others block busy target
	check_refusals
}

# Seven wait while one is served, 20 ms each.
check_depth() {
	begin depth read 101
	expect '$n.block - $b.block >= 130'
	expect '$n.block > $n.total / 2'
	others block
}

# 1 MiB at 20 Mbit/s takes 419 ms; what the socket buffer still holds at the end is sent on the target's time.
check_uplink1() {
	begin uplink1 write 101
	expect '$n.data_out + $n.send > $n.total / 2 and $n.total > 419'
	others data_out send r2t target
}

check_uplink4() {
	begin uplink4 write 101
	expect '$n.data_out + $n.send > $n.total / 2 and $n.total > 4 * 400'
	# The worker is held up in the sending of one while the others wait for it.
	expect '$n.queue - $b.queue > $n.total / 10'
	others data_out send queue r2t target
}

check_downlink() {
	begin downlink read 101
	expect '$n.data_in > $n.total * 0.8 and $n.total > 400'
	others data_in target
}

# The worker waits for its CPU; so does what else runs there, softirqs and a worker in the middle of a send.
check_worker() {
	begin worker read 307
	expect '$n.queue - $b.queue > 3'
	expect '($n | del(.queue, .total) | to_entries | map(.value - $b[.key]) | max) < $n.queue - $b.queue'
	others queue send target data_in "done"
}

# Two commands are at the target, six wait in the block layer for them.
check_held() {
	local least most

	begin held read 101 1
	least=$(noted held_least_ms) most=$(noted held_most_ms)
	expect "(\$n.target - \$b.target) * 101 | . > 2 * $least and . < 2 * $most + 1500"
	expect "(\$n.block - \$b.block) * 101 | . > 5.9 * $least and . < 6 * $most + 3000"
	expect_more "$(largest true .stages.target.max_ns)" "${least}000000" "$what: longest in target, ns"
	others target block
}

# turns: of the session in that row, in one line.
turns() {
	jq -r 'select(.type == "session") | [.event, (.outcome // empty)] | join("=")' "$tracer_out" | xargs
}

# check_drop ROW COUNT NUMBER: NUMBER commands are struck when the wire goes down, and sent again.
check_drop() {
	begin "$1" write "$2" 1
	counts good="$2" disrupted="$3" retries="$3" pdus=$(($2 + $3)) pdus="$(noted pdus)"
	expect_more "$(largest true .stages.busy.max_ns)" "$(noted down_ms)000000" "$what: longest in busy, ns"
	expect "\$n.busy * $2 > $3 * $(noted down_ms)"
	# The first thing that fails comes at most a ping's second and its second for an answer after the wire is down.
	expect_equal "$(turns)" "connection_error connection_stop blocked login unblocked" "$what: turns"
	expect_more "$(jq 'select(.event == "unblocked") | .duration_ns' "$tracer_out")" $(($(noted down_ms) - 4000))000000 \
		"$what: blocked, ns"
}

check_drop1() {
	check_drop drop1 101 1
	others busy
}

# The struck ones are behind no other; four more wait in the block layer.
check_drop8() {
	check_drop drop8 211 4
	expect_more "$(largest true .stages.block.max_ns)" "$(noted down_ms)000000" "$what: longest in block, ns"
	expect "(\$n.block - \$b.block) * 211 > 4 * $(noted down_ms)"
	others busy block
}

check_abort() {
	begin abort read 1 1
	counts ios=1 good=1 aborted=1 retries=1 pdus=2 disrupted=0
	# Of a single command the other stages have no mean: all of them together are little beside it.
	expect '$n.busy > 2000 and $n.total - $n.busy < $n.busy / 10'
	expect_equal "$(turns)" "abort=success" "$what: turns"
	expect_equal "$(jq 'select(.event == "abort") | .duration_ns > 0' "$tracer_out")" true "$what: time of the abort"
}

# check_failures ROW COUNT SENSE: fio, the requests' ends, the attempts' results and the log all agree.
check_failures() {
	local fio_errors

	begin "$1" read "$2"
	fio_errors=$(noted fio_errors)
	echo "$what: $fio_errors errors for fio; results of attempts: $(tr -s ' \n' ' ' <"$check_share/$how-$1.results")"
	expect_more "$fio_errors" 0 "$what: errors for fio"
	expect_equal "$(noted requests_failed)" "$fio_errors" "$what: requests that failed"
	counts good=$(($2 - fio_errors)) errors="$fio_errors" status_errors="$fio_errors" host_errors=0
	[ -n "$lost" ] || expect_equal $(($(total true .status_errors) + $(total true .retries))) "$(noted attempts_failed)" \
		"$what: attempts that failed"
	grep -q "$3" "$check_share/$how-$1.log" || failed "$what: the kernel's log lacks '$3'"
	grep -q 'hostbyte=DID_OK' "$check_share/$how-$1.log" || failed "$what: the kernel's log has no status"
	! grep 'hostbyte=' "$check_share/$how-$1.log" | grep -v 'hostbyte=DID_OK' || failed "$what: host bytes in the kernel's log"
}

check_broken() {
	check_failures broken 101 'Logical unit communication failure'
}

check_removed() {
	check_failures removed 1009 'Logical unit not supported'
}

# The initiator's own counts over the whole campaign, session by session: commands, R2Ts and aborts.
check_campaign() {
	local of

	use "$how"
	what="$kernel $how campaign"
	while read -r of; do
		echo "$what: session $of: $(noted "scsicmd_pdus.$of") commands, $(noted "r2t_pdus.$of") R2Ts, $(noted "tmfcmd_pdus.$of")" \
			"of task management by the initiator; losses: $(losses | tr '\n' ' ')"
		[ -z "$(losses)" ] || continue
		expect_equal "$(total ".sid == $of" .pdus)" "$(noted "scsicmd_pdus.$of")" "$what: session $of: commands"
		expect_equal "$(total ".sid == $of" .r2ts)" "$(noted "r2t_pdus.$of")" "$what: session $of: R2Ts"
		expect_equal "$(jq -s "map(select(.event == \"abort\" and .sid == $of)) | length" "$tracer_out")" "$(noted "tmfcmd_pdus.$of")" \
			"$what: session $of: task management"
	done < <(sed -n 's/^scsicmd_pdus\.\([0-9]*\) .*/\1/p' "${tracer_out%.json}.notes" | sort -un)
	[ "$how" = kprobe ] || expect_equal "$(losses | xargs)" "" "$what: losses"
}

# check_rows ROW...: sets tried_again to the rows whose times were wrong.
check_rows() {
	local row

	tried_again=()
	for row in "$@"; do
		[ -s "$check_share/$how-$row.json" ] || { failed "$kernel $how $row was not run"; continue; }
		again=''
		"check_$row"
		[ -z "$again" ] || tried_again+=("$row")
	done
}

# check KERNEL HOW [ROW...]: the rows, or all. A row whose times were wrong has two more tries.
check() {
	local rows=("${@:3}")

	kernel=$1 how=$2
	[ "${#rows[@]}" -gt 0 ] || read -ra rows <<<"$all_rows"
	for last_try in '' '' yes; do
		in_guest "$kernel" 1500 injection.sh "$how" "${rows[@]}"
		check_rows "${rows[@]}"
		check_campaign
		rm -f "$check_share/$how"[.-]*
		[ "${#tried_again[@]}" -gt 0 ] || break
		rows=("${tried_again[@]}")
	done
}

if [ $# -gt 0 ]; then
	check "$@"
	finish
	exit
fi
for kernel in ${STORPROTOTRACE_LAB_KERNELS:-6.1 6.12}; do
	for how in fentry kprobe; do
		check "$kernel" "$how"
	done
done
finish
