#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Events of single commands on real kernels: exactly those asked for, with stages that add up; what they say of failed and
# repeated commands; what did not fit is counted; hanging commands are told; and their times hold against the wire.
# `commands.sh SCENARIO...` does only these.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# begin NAME: the run of that name, by the way of attaching now tested.
begin() {
	use "$1-$how"
	[ -s "$tracer_out" ] || { failed "$1-$how was not run"; return 1; }
	expect_sound
	echo "$1-$how: $(events command true length) commands, $(events stuck true length) stuck, losses: $(losses | tr '\n' ' ')"
}

# events TYPE FILTER EXPRESSION: EXPRESSION over the array of the events that FILTER selects.
events() {
	jq -src "[.[] | select(.type == \"$1\") | select($2)] | $3" "$tracer_out"
}

# What must be true of every command's event; and each interval's events are the commands that it counts.
# shellcheck disable=SC2016 # jq's variables
event_faults='
	def fault($text; $ok): if $ok then empty else $text end;
	def parts: to_entries | map(select(.key != "total") | .value // 0);
	def of_command: .stages as $s | .longest as $longest |
		fault("stages add up"; ($s | parts | add) == $s.total),
		fault("the longest stage is named"; $s[$longest] == ($s | parts | max)),
		fault("one attempt was sent"; .attempts >= .pdus and .pdus >= 1),
		fault("bytes"; .bytes <= .length and (.bytes == .length) == (.result == 0)),
		fault("ITT, CmdSN and CPUs"; [.itt, .cmdsn, .cpu_submit, .cpu_transmit, .cpu_complete] | all(. != null));
	foreach inputs as $l ({};
		if $l.type == "command" then {n: ((.n // 0) + 1), ns: ((.ns // 0) + $l.stages.total),
			faults: [$l | of_command]}
		elif $l.type == "stats" then {n: 0, ns: 0, faults:
			[fault("\(.n // 0) events for \($l.ios) commands"; $exact == "no" or (.n // 0) == $l.ios),
			 fault("sums of events and of counters"; $exact == "no" or (.ns // 0) == ($l.stages.total.sum_ns // 0))]}
		else .faults = [] end;
		.faults[])'

# expect_sound_events yes|no: no: not all commands have events.
expect_sound_events() {
	jq -nr --arg exact "$1" "$event_faults" "$tracer_out" | sort | uniq -c >"$check_share/faults"
	[ ! -s "$check_share/faults" ] && return
	failed "$tracer_out: events that are not sound"
	head -c 2000 "$check_share/faults"
}

check_every() {
	begin every || return
	expect_sound_events yes
	expect_equal "$(losses)" "" "every: losses"
	expect_equal "$(events command '.opcode_name == "READ(10)" and .blocks == 8 and .status == "GOOD"' length)" 1009 "every"
}

check_slower() {
	begin slower || return
	expect_sound_events no
	expect_equal "$(losses)" "" "slower: losses"
	expect_equal "$(total true .ios)" 516 "slower: commands"
	expect_equal "$(events command true '[length, (map(.lun) | unique), (map(.longest) | unique)]')" '[13,[1],["target"]]' \
		"slower: the delayed reads"
}

check_failed_commands() {
	begin failed_commands || return
	expect_sound_events yes
	expect_equal "$(events command '.lun == 3' '[length, (map([.opcode_name, .status, .host, .sense_key, .sense_text, .attempts]) | unique)]')" \
		'[101,[["READ(10)","CHECK CONDITION",null,"NOT READY","Logical unit communication failure",1]]]' "dm-error"
	# What sg_raw read out of the same sense data.
	grep -q 'Sense key: Illegal Request' "$check_share/sg_raw.txt" || failed "sg_raw: $(cat "$check_share/sg_raw.txt")"
	expect_equal "$(events command '.opcode_name == "UNMAP"' 'map([.sense_key, .sense_text, .lba, .length])')" \
		'[["ILLEGAL REQUEST","Invalid command operation code",null,24]]' "UNMAP"
	expect_equal "$(events command '.lun == 0 and .opcode_name != "UNMAP"' 'map([.opcode_name, .lba, .blocks]) | sort')" \
		'[["READ(12)",66051,2],["READ(16)",66051,2],["READ(6)",66051,2]]' "READ of other lengths"
}

check_aborted() {
	begin aborted || return
	expect_sound_events yes
	expect_equal "$(events command true 'map([.attempts, .pdus, .status, .longest])')" '[[2,2,"GOOD","busy"]]' "aborted"
}

check_event_full() {
	begin event_full || return
	expect_equal "$(total true .ios)" 20011 "event_full: commands"
	expect_more "$(loss event_full)" 0 "event_full"
	expect_equal $(($(events command true length) + $(loss event_full))) 20011 "event_full: seen + lost"
	expect_equal "$(losses | cut -d= -f1)" event_full "event_full: other losses"
	grep -qF event_full "$tracer_err" || failed "event_full: no warning"
}

check_stuck() {
	local count

	begin stuck || return
	count=$(events stuck true length)
	expect_equal "$count" "$(noted released)" "stuck: lines after the release"
	# At 1 s, 2 s and 4 s of age or at the reading after each; one whose 1 s falls just behind a reading comes late enough to
	# let another have its fourth.
	expect_equal "$(events stuck true 'group_by(.itt) | length')" 8 "stuck: commands told"
	expect_equal "$(events stuck true 'group_by(.itt) | map(length | . == 3 or . == 4) | unique')" '[true]' \
		"stuck: times each is told"
	expect_equal "$(events stuck true 'map([.lun, .stage, .attempts, .session_state, .opcode_name]) | unique')" \
		'[[2,"target",1,"LOGGED_IN","READ(10)"]]' "stuck"
	expect_equal "$(events stuck true 'group_by(.itt) | map(map(.age_ns) | .[0] >= 1e9 and
		([.[:-1], .[1:]] | transpose | all(.[1] >= 2 * .[0]))) | unique')" '[true]' "stuck: ages"
	expect_equal "$(total true .ios)" 8 "stuck: commands in the end"
}

# The write waits for its R2T, then for the response.
check_asked() {
	begin asked || return
	expect_equal "$(events stuck '.stage != "data_out"' '[.[0].stage, .[-1].stage, (map(.stage) | unique)]')" \
		'["r2t","target",["r2t","target"]]' "asked: stages told"
	expect_equal "$(records '.inflight_stages.r2t.count > 0' 'map([.inflight, .inflight_stages.r2t.count, .inflight_stages.target.count]) | unique | tostring')" \
		'"[[1,1,0]]"' "asked: in flight in r2t"
	expect_more "$(total true .inflight_stages.r2t.count)" 0 "asked: reports that show it in r2t"
	expect_true "$(total true .stages.r2t.sum_ns) >= 1.5e9 and $(total true .stages.target.sum_ns) >= 1.5e9" "asked: r2t and target at last"
}

# The wire's commands: ITT, CmdSN, seconds from the request to the last of the response. A frame has several PDUs; only
# those of some opcodes carry a CmdSN.
wire_commands() {
	tshark -r "$check_share/wire.pcap" -d tcp.port==3260,iscsi -o tcp.reassemble_out_of_order:TRUE -Y iscsi -T fields -e frame.time_epoch -e iscsi.opcode \
		-e iscsi.initiatortasktag -e iscsi.cmdsn 2>/dev/null | awk -F '\t' '
		function done_with(tag) {
			if (tag in sent && tag in got)
				printf "%s %s %.6f\n", tag, cmdsn[tag], got[tag] - sent[tag]
			delete sent[tag]
			delete got[tag]
		}
		{
			split($2, opcode, ","); pdus = split($3, itt, ","); split($4, numbers, ","); next_number = 1
			for (i = 1; i <= pdus; i++) {
				if (opcode[i] ~ /^0x0[01234]|^0x06/)
					number = numbers[next_number++]
				if (opcode[i] == "0x01") {
					done_with(itt[i])
					sent[itt[i]] = $1
					cmdsn[itt[i]] = number
				} else if ((opcode[i] == "0x21" || opcode[i] == "0x25") && itt[i] in sent) {
					got[itt[i]] = $1
				}
			}
		}
		END { for (tag in sent) done_with(tag) }'
}

# Ours: ITT, CmdSN, seconds from taking it for sending to its completion, and what of them is after the first send.
traced_commands() {
	local itt cmdsn seconds after

	jq -r 'select(.type == "command") | .stages as $s | ($s | .r2t + .data_out + .target + .data_in) as $after |
		[.itt, .cmdsn, ($s.send + $after) / 1e9, $after / 1e9] | @tsv' "$tracer_out" |
		while read -r itt cmdsn seconds after; do
			printf '0x%08x %s %s %s\n' "$itt" "$cmdsn" "$seconds" "$after"
		done
}

# The request leaves some time within the stage send: with it our time contains the wire's, without it both are about the
# same. What is left is from the packet to the handling of what is in it, on an emulated and busy machine.
check_wire() {
	local share=$check_share

	begin wire || return
	expect_sound_events yes
	expect_equal "$(noted dropped)" 0 "tcpdump: packets dropped"
	command -v tshark >/dev/null || { failed "tshark is missing"; return; }
	traced_commands >"$share/ours"
	wire_commands >"$share/wire"
	awk 'NR == FNR { wire[$1 " " $2] = $3; next }
		($1 " " $2) in wire { w = wire[$1 " " $2]; print $3 - w, $4 - w, w }' "$share/wire" "$share/ours" |
		sort -g >"$share/differences"
	awk '{ longer[NR] = $1; span += $3; if ($1 < -0.00001) shorter++; if ($2 > 0.003 + 0.1 * $3) off++ }
		END { printf "compared=%d shorter=%d off=%d mean_us=%d median_us=%d p95_us=%d\n", NR, shorter, off, span / NR * 1e6,
			longer[int((NR + 1) / 2)] * 1e6, longer[int(NR * 0.95)] * 1e6 }' "$share/differences" >"$share/summary"
	echo "wire-$how: $(cat "$share/summary") (ours is longer by; off: after the first send, by more than 3 ms + 10 %)"
	expect_equal "$(of_wire compared)" 701 "wire: commands with the same ITT and CmdSN"
	expect_equal "$(of_wire shorter)" 0 "wire: commands shorter than on the wire"
	expect_more 71 "$(of_wire off)" "wire: nine of ten after the first send"
	expect_more 3000 "$(of_wire median_us)" "wire: median difference"
}

of_wire() {
	tr ' ' '\n' <"$check_share/summary" | awk -F = -v name="$1" '$1 == name { print $2 }'
}

scenarios=${*:-every slower failed_commands aborted event_full stuck asked wire}

# check KERNEL HOW: nothing of an earlier run is taken for one of this.
check() {
	local scenario

	how=$2
	rm -f "$check_share"/*.json "$check_share"/*.err "$check_share"/*.notes "$check_share/wire.pcap" "$check_share/sg_raw.txt"
	# shellcheck disable=SC2086 # one argument each
	in_guest "$1" 1200 commands.sh "$how" $scenarios
	for scenario in $scenarios; do
		"check_$scenario"
	done
}

for run in "${lab_runs[@]}"; do
	check "${run% *}" "${run#* }"
done
finish
