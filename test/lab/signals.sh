#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# However a trace ends – signal, kill, gone reader, full disk – the counts so far are told and nothing stays in the kernel.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# Detaching some thirty programs takes a second or two here, more on a busy machine; the interval is 60 s.
end_ms=10000

# expect_ended NAME STATUS MS: the exit status, and not later than that.
expect_ended() {
	use "$1"
	expect_equal "$(noted status)" "$2" "$1: exit status"
	[ -z "$(noted ms)" ] || [ "$(noted ms)" -le "$3" ] || failed "$1: the end took $(noted ms) ms"
}

expect_whole_lines() {
	jq -e . "$1" >/dev/null || failed "$(basename "$1"): not JSON"
	[ -z "$(tail -c 1 "$1" | tr -d '\n')" ] || failed "$(basename "$1"): the last line is not whole"
}

check_ended() {
	local how signal

	for how in fentry kprobe; do
		for signal in INT TERM; do
			expect_ended "$how-$signal" 0 "$end_ms"
			echo "$how, $signal at interval 60: $(total '.op == "read"' .ios) reads, ended after $(noted ms) ms," \
				"$(noted objects) things were in the kernel"
			expect_equal "$(total '.op == "read"' .ios)" 101 "$how, $signal: reads in the partial interval"
			expect_equal "$(grep -c '"type":"loss"' "$tracer_out")" 1 "$how, $signal: intervals printed"
			expect_more "$(noted objects)" 8 "$how, $signal: programs, links, maps, events while tracing"
			expect_sound
		done
	done
}

check_killed() {
	use dead
	echo "killed: $(noted events) events left, $(noted events_later) after the next start, $(noted living_events) of a living one"
	expect_more "$(noted events)" 7 "events a killed tracer leaves"
	expect_equal "$(noted events_later)" 0 "events of a killed tracer after the next start"
	expect_equal "$(noted living_events)" "$(noted events)" "events of a living tracer"
	for name in living third; do
		expect_ended "$name" 0 "$end_ms"
		expect_equal "$(total '.op == "read"' .ios)" 53 "$name beside a killed one: reads"
	done
}

check_rotated() {
	local file sum=0

	expect_ended rotated 0 "$end_ms"
	for file in output.1 output recording.1 recording; do
		expect_whole_lines "$check_share/$file"
	done
	for file in output.1 output; do
		tracer_out=$check_share/$file
		sum=$((sum + $(total '.op == "read"' .ios)))
	done
	echo "rotated: $sum reads in $(wc -l <"$check_share/output.1") + $(wc -l <"$check_share/output") lines"
	expect_equal "$sum" $((67 + 71)) "reads in both files"
	sum=0
	tracer_out=$check_share/replayed
	for file in recording.1 recording; do
		"$check_binary" --replay "$check_share/$file" -j -b sid,op >"$tracer_out" || failed "$file is not replayed"
		sum=$((sum + $(total '.op == "read"' .ios)))
	done
	expect_equal "$sum" $((67 + 71)) "reads in both recordings"
}

# No error, only what is done.
expect_quiet() {
	! grep -qE 'cannot|hint:|failed' "$tracer_err" || { failed "$1 is not quiet"; cat "$tracer_err"; }
}

check_output() {
	local format

	for format in table json; do
		expect_ended "head-$format" 0 0
		echo "| head -n 1, $format: ended after $(($(noted end) - $(noted begin))) ms"
		expect_equal "$(wc -l <"$tracer_out")" 1 "head-$format: lines"
		# The second report, an interval of 1 s later, finds the reader gone.
		[ $(($(noted end) - $(noted begin))) -le $((end_ms + 1000)) ] || failed "head-$format: ended late"
		expect_quiet "head-$format"
		expect_ended "full-$format" 5 0
		grep -q 'No space left on device' "$tracer_err" || failed "full-$format: stderr does not say why"
	done
	expect_ended nobody 3 0
	[ ! -s "$tracer_out" ] || failed "nobody: prints on stdout"
	grep -q '^hint: ' "$tracer_err" || failed "nobody: no hint"
}

check_unloading() {
	local how status=0

	for how in fentry kprobe; do
		# Without its modules tracing has stopped, which is a failure.
		[ "$how" = fentry ] || status=1
		expect_ended "unloading-$how" "$status" "$end_ms"
		echo "libiscsi_tcp unloaded while hooked by $how: $(sed -n 's/^unloaded //p' "$check_share/unloading-$how.notes")"
		grep -q '^unloaded .*afterwards yes$' "$check_share/unloading-$how.notes" || failed "$how pins the module for good"
	done
}

in_guest "${STORPROTOTRACE_LAB_KERNEL:-6.1}" 600 signals.sh
check_ended
check_killed
expect_ended ignored 0 "$end_ms"
check_rotated
expect_ended hang-up 0 "$end_ms"
check_output
check_unloading
finish
