# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the lab's tests share, on the machine (boot a guest script) and in the guest (run the tracer, look at its JSON).
# shellcheck shell=bash

check_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
check_source=${STORPROTOTRACE_SOURCE:-$(cd "$check_folder/../.." && pwd)}
check_binary=${STORPROTOTRACE_BINARY:-$check_source/build/storprototrace}
# The folder both sides see. Emulation makes a guest slow: what can be looked at afterwards is looked at on the machine.
check_share=/host
if [ -z "${LAB:-}" ]; then
	check_share=$(mktemp -d "${TMPDIR:-/tmp}/storprototrace-check.XXXXXX")
	trap 'rm -rf "$check_share"' EXIT
fi
failures=0

failed() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# The last line of each test and of each guest script.
finish() {
	[ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
	echo "all passed"
}

# expect_equal GOT WANTED WHAT, expect_more GOT LIMIT WHAT: whole numbers.
expect_equal() {
	[ "$1" = "$2" ] || failed "$3: $1 instead of $2"
}

expect_more() {
	[[ $1 =~ ^[0-9]+$ ]] && [ "$1" -gt "$2" ] && return
	failed "$3: $1, not more than $2"
}

# expect_true JQ-EXPRESSION WHAT [--arg NAME VALUE]...: arithmetic with fractions.
expect_true() {
	local expression=$1 what=$2

	shift 2
	jq -ne "$@" "$expression" >/dev/null || failed "$what: not $expression"
}

# --- on the machine ---

# Kernel and way of attaching that every change is tried on; with STORPROTOTRACE_LAB_RUNS=all (test/full) each with each.
# shellcheck disable=SC2034 # for the tests
case ${STORPROTOTRACE_LAB_RUNS:-few} in
few) lab_runs=("6.1 fentry") ;;
all) lab_runs=("6.1 fentry" "6.1 kprobe" "6.12 fentry" "6.12 kprobe") ;;
*) lab_runs=("$STORPROTOTRACE_LAB_RUNS") ;;
esac

# in_guest KERNEL SECONDS SCRIPT [ARG...]: runs test/lab/guest/SCRIPT in a guest; its failure is ours. guest_cpus=1 before it
# where a tracer comes or goes under load: two emulated processors can hang then (lab/README.md).
in_guest() {
	local kernel=$1 seconds=$2 script=$3 status=0

	shift 3
	command -v qemu-system-x86_64 >/dev/null || { echo "skipped: qemu-system-x86_64 is missing"; exit 77; }
	[ -x "$check_binary" ] || { echo "no program at $check_binary"; exit 1; }
	export STORPROTOTRACE_SOURCE="$check_source" STORPROTOTRACE_BINARY="$check_binary"
	echo "--- $script $* on $kernel"
	"$check_source/lab/run" -k "$kernel" -t "$seconds" -c "${guest_cpus:-2}" -s "$check_share" "$check_folder/guest/$script" "$@" || status=$?
	[ "$status" -eq 0 ] || failed "$script on $kernel: exit status $status"
}

# --- in the guest ---

# tracer_start NAME ARG...: starts the tracer in the background, JSON lines going to /host/NAME.json, and waits for its
# first interval. ARG... must not hold the interval: that is tracer_interval.
tracer_interval=0.5
tracer_start() {
	use "$1"
	shift
	: >"$tracer_out"
	start_in_background "$check_binary" -j "$@" "$tracer_interval" >"$tracer_out" 2>"$tracer_err"
	tracer_pid=${lab_pid:?}
	wait_for 150 tracer_reports 1 && return
	failed "the tracer started with '$*' does not report"
	sed 's/^/    /' "$tracer_err"
}

# tracer_reports COUNT: have so many intervals been printed? tracer_pass COUNT: waits for so many more.
tracer_reports() {
	[ "$(grep -c '"type":"loss"' "$tracer_out")" -ge "$1" ]
}

tracer_pass() {
	wait_for 150 tracer_reports $(($(grep -c '"type":"loss"' "$tracer_out") + $1))
}

# tracer_stop: by TERM; the partial interval is printed, the exit status must be 0.
tracer_stop() {
	local status=0

	kill -TERM "$tracer_pid"
	wait "$tracer_pid" || status=$?
	[ "$status" -eq 0 ] && return
	failed "the tracer ended with $status"
	sed 's/^/    /' "$tracer_err"
}

# note NAME VALUE: something measured in the guest, for noted NAME on the machine; both belong to the tracer in use.
note() {
	echo "$1 $2" >>"${tracer_out%.json}.notes"
}

# section NAME SID COMMAND...: /host/NAME.json gets what the running tracer says of the session while the command runs; the
# tracer must group by session. For tests that start no tracer for each load: starting takes longer than most loads. Two
# reports: the first may have been under way when the command ended.
section() {
	local of=$2 from

	section_name=$1
	shift 2
	from=$(wc -l <"$tracer_out")
	"$@"
	tracer_pass 2
	tail -n "+$((from + 1))" "$tracer_out" | grep -e '"type":"loss"' -e "\"sid\":$of," >"$check_share/$section_name.json"
}

# remark NAME VALUE: a note that belongs to the last section.
remark() {
	local tracer_out=$check_share/$section_name.json

	note "$@"
}

# --- on both sides ---

# depths HOW: the queue depths that counts.sh tries; one is enough where only the layout's source differs.
depths() {
	if [ "$1" = computed ]; then echo 16; else echo 1 16 64; fi
}

# use NAME: what follows is about the run of tracer_start NAME.
use() {
	tracer_out=$check_share/$1.json
	tracer_err=$check_share/$1.err
}

noted() {
	awk -v name="$1" '$1 == name { print $2 }' "${tracer_out%.json}.notes"
}

# records FILTER EXPRESSION: EXPRESSION over the array of the last tracer's records that FILTER selects.
# total FILTER NUMBER: the sum of NUMBER over these records; null counts as 0.
# largest FILTER NUMBER: the same for the maximum.
records() {
	jq -s "[.[] | select(.type == \"stats\") | select($1)] | $2" "$tracer_out"
}

total() {
	records "$1" "map($2 // 0) | add // 0"
}

largest() {
	records "$1" "map($2 // 0) | max // 0"
}

# loss NAME: the sum over all intervals; losses: every one that is not 0, as NAME=NUMBER.
loss() {
	jq -s "[.[] | select(.type == \"loss\") | .$1 // 0] | add // 0" "$tracer_out"
}

losses() {
	jq -rs '[.[] | select(.type == "loss") | del(.schema, .type, .time) | to_entries[]] | group_by(.key)[] |
		{key: .[0].key, value: (map(.value // 0) | add)} | select(.value != 0) | "\(.key)=\(.value)"' "$tracer_out"
}

# What must be true of every record; prints what is not.
# shellcheck disable=SC2016 # jq's variables
record_faults='
	def stages: ["block", "busy", "queue", "send", "r2t", "data_out", "target", "data_in", "done"];
	def sum($names): . as $s | $names | map($s[.].sum_ns // 0) | add;
	def fault($text; $ok): if $ok then empty else $text end;
	select(.type == "stats") | . as $r |
	(fault("ios = good + errors"; .ios == .good + .errors and .errors == .status_errors + .host_errors),
	 fault("ops add up to ios"; ([.ops[].ios] | add) == .ios),
	 fault("ops add up to bytes"; ([.ops[].bytes] | add) == .bytes),
	 fault("stages add up to total"; (.stages | sum(stages)) == (.stages.total.sum_ns // 0)),
	 fault("waiting is block + busy + queue"; .phases.waiting.sum_ns == (.stages | sum(["block", "busy", "queue"]))),
	 fault("sending is send + r2t + data_out"; .phases.sending.sum_ns == (.stages | sum(["send", "r2t", "data_out"]))),
	 fault("complete is target + data_in + done"; .phases.complete.sum_ns == (.stages | sum(["target", "data_in", "done"]))),
	 (.phases | to_entries[] | fault("\(.key): max ≥ mean"; .value.max_ns * $r.ios >= .value.sum_ns)),
	 fault("total counts every command"; (.stages.total.count // 0) == .ios),
	 (.stages | to_entries[] | .key as $stage | select(.value) | .value |
	  fault("\($stage): max ≥ mean ≥ 0"; .sum_ns >= 0 and .max_ns * .count >= .sum_ns),
	  fault("\($stage): max ≤ sum"; .max_ns <= .sum_ns),
	  (select(.p50_ns != null) |
	   fault("\($stage): p50 ≤ p90 ≤ p99 ≤ p999 ≤ max";
	         .p50_ns <= .p90_ns and .p90_ns <= .p99_ns and .p99_ns <= .p999_ns and .p999_ns <= .max_ns)))) |
	"\(.): \($r | tojson)"'

# expect_sound: of every record of the last tracer; and no command's stages failed to add up, no reading was torn.
expect_sound() {
	jq -r "$record_faults" "$tracer_out" >"$check_share/faults"
	if [ -s "$check_share/faults" ]; then
		failed "$tracer_out: $(wc -l <"$check_share/faults") times a record is not sound"
		head -c 2000 "$check_share/faults"
	fi
	expect_equal "$(loss mismatch)" 0 "mismatch"
	expect_equal "$(loss torn)" 0 "torn"
}

# The lab sets LAB in the guest: there its library comes along.
if [ -n "${LAB:-}" ]; then
	# shellcheck source=../../lab/guest/lab.sh
	. "$LAB/guest/lab.sh"
fi
