#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Output that cannot be written exits 5 and says why; a reader that went away is no failure.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

# play ARG...: plays the recording, stdout is what the caller gave.
play() {
	status=0
	timeout 60 "$test_binary" --replay "$test_recording" "$@" 2>"$test_err" </dev/null || status=$?
	: >"$test_out"
}

for format in table json csv prometheus openmetrics html; do
	play -f "$format" >/dev/full
	expect 5 "$format on a full device"
	expect_err "No space left on device" "$format on a full device"
	play -f "$format" >&-
	expect 5 "$format on a closed stdout"
	play -f "$format" -o /dev/full
	expect 5 "$format to a full file"
	play -f "$format" -o "$test_folder/no/such/folder"
	expect 5 "$format to a file that cannot be made"
	expect_err "$test_folder/no/such/folder" "$format to a file that cannot be made"

	run bash -c 'set -o pipefail; "$0" --replay "$1" -f "$2" | head -n 1' "$test_binary" "$test_recording" "$format"
	expect 0 "$format | head -n 1"
	[ ! -s "$test_err" ] || { failed "$format | head -n 1: not quiet"; show; }
	[ "$(wc -l <"$test_out")" -eq 1 ] || { failed "$format | head -n 1: not one line"; show; }
	# The reader is gone before the first line, with SIGPIPE as it comes and ignored.
	for trap in : "trap '' PIPE"; do
		run bash -c "$trap; "'{ sleep 0.5; "$0" --replay "$1" -f "$2"; echo $? >"$3"; } | true' \
			"$test_binary" "$test_recording" "$format" "$test_folder/status"
		[ "$(cat "$test_folder/status")" = 0 ] || failed "$format with no reader ($trap): $(cat "$test_folder/status")"
		[ ! -s "$test_err" ] || { failed "$format with no reader: not quiet"; show; }
	done
done
status=0
"$test_binary" --help >/dev/full 2>"$test_err" || status=$?
expect 5 "--help on a full device"
expect_err "No space left on device" "--help on a full device"
# Longer than a pipe's reader wants to know, and than the usual buffer.
for said in --help '--columns help'; do
	run bash -c '{ sleep 0.5; "$0" $1; echo $? >"$2"; } | true' "$test_binary" "$said" "$test_folder/status"
	[ "$(cat "$test_folder/status")" = 0 ] || failed "$said with no reader: $(cat "$test_folder/status")"
done

# What was in the file stays until there is something to write.
for format in table csv html prometheus; do
	echo 'as it was' >"$test_folder/kept"
	run "$test_binary" --replay "$test_folder/none" -f "$format" -o "$test_folder/kept"
	expect 1 "$format of no recording"
	[ "$(cat "$test_folder/kept")" = 'as it was' ] || failed "$format of no recording: the file is not what it was"
	run "$test_binary" --replay "$test_recording" -f "$format" -o "$test_folder/kept"
	expect 0 "$format to a file"
	! grep -q 'as it was' "$test_folder/kept" || failed "$format: something of the file before is left"
done

# stopped WHAT COMMAND...: a signal ends the program although there is nothing to read; 0 as without a recording.
stopped() {
	local pid what=$1

	shift
	"$test_binary" "$@" >"$test_out" 2>"$test_err" &
	pid=$!
	sleep 1
	kill -TERM "$pid"
	for ((i = 0; i < 50; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$pid" 2>/dev/null && failed "$what: hears no signal"
	status=0
	wait "$pid" || status=$?
	expect 0 "$what"
}
mkfifo "$test_folder/pipe"
stopped "a pipe without a writer" --replay "$test_folder/pipe"
sleep 60 >"$test_folder/pipe" &
writer=$!
stopped "a pipe whose writer writes nothing" --replay "$test_folder/pipe"
kill "$writer"
{ cat "$test_recording"; exec sleep 60; } >"$test_folder/pipe" &
writer=$!
stopped "a pipe whose writer has paused" --replay "$test_folder/pipe" -j
kill "$writer"
[ -s "$test_out" ] || failed "a pipe whose writer has paused: nothing is printed"
finish
