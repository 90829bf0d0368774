#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The reader of recordings (with all that prints them) and the option parser take whatever there is, for a number of tries.
#   STORPROTOTRACE_FUZZ_RUNS=N makes it N per fuzzer, without a limit of time. What is found stays in fuzz/ of the build folder.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
grep -q '^SANITIZE:BOOL=OFF' "$test_build/CMakeCache.txt" || skip "the build without sanitizers does it"
for tool in clang jq make pkg-config; do
	command -v "$tool" >/dev/null || skip "$tool is missing"
done
echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return !data && size; }' |
	clang -fsanitize=fuzzer,address,undefined -x c - -o "$test_folder/linked" 2>/dev/null || skip "this clang has no libFuzzer"
folder=$test_build/fuzz
mkdir -p "$folder"
make -C "$folder" -f "$test_source/test/fuzz/Makefile" --jobs=2 >"$folder/log" 2>&1 ||
	{ tail -n 20 "$folder/log"; failed "the fuzzers cannot be built"; finish; }

# fuzz NAME SECONDS OPTION...: beginning with the samples.
fuzz() {
	local name=$1 found=$folder/$1.found limit=(-max_total_time="$2")

	shift 2
	rm -rf "$found"
	mkdir "$found"
	[ -z "${STORPROTOTRACE_FUZZ_RUNS:-}" ] || limit=()
	"$folder/$name" -runs="${STORPROTOTRACE_FUZZ_RUNS:-20000}" "${limit[@]}" -seed=7 -timeout=20 -rss_limit_mb=1500 \
		-artifact_prefix="$found/" -close_fd_mask=2 "$@" "$test_folder/$name" >"$folder/$name.log" 2>&1 </dev/null &&
		{ grep '^Done' "$folder/$name.log" | sed "s/^/$name: /"; return; }
	failed "$name"
	for input in "$found"/*; do
		echo "$input"
		"$folder/$name" "$input" 2>&1 | grep -v '^storprototrace' | tail -n 30
	done
}

# Recordings: two intervals of the tree's, made small, with events. The first byte says what is done with them.
mkdir "$test_folder/replay" "$test_folder/options"
head -n 3 "$test_recording" | jq -c 'if .rows then .reading.sessions |= .[:2] | .reading.luns |= .[:2] | .rows |= .[:2] | .hists |= .[:1] | .events = [
	{type: "session", time_ns: 5, sid: 2, cid: 0, turn: 2, code: 1011, outcome: 1, duration_ns: 7},
	{type: "stuck", time_ns: 5, sid: 1, cid: 0, lun: 0, op: 1, opcode: 42, stage: 6, age_ns: 5, session_state: 0},
	{type: "command", time_ns: 5, sid: 1, cid: 0, lun: 0, op: 0, opcode: 40, stage: 6, sense: 5, result: 2,
	 stages: [1, 0, 0, 0, 0, 0, 4, 0, 0, 5]}] else . end' >"$test_folder/small"
for first in 0 1 2 3; do
	{ printf %s $first; cat "$test_folder/small"; } >"$test_folder/replay/$first"
done
printf '"\\"%s\\":"\n' ios stages hists reading loss sid lun op size events type inflight_stages number length_ns start_ns \
	>"$test_folder/members"
# Command lines: each option with what it may want, and two at once.
"$test_binary" --help | sed -nE 's/^  (-., |    )--([a-z-]+).*/\2/p' >"$test_folder/names"
while IFS= read -r option; do
	for value in 1 "$option" target sid,cid "libiscsi=a"; do
		printf -- '--%s\n%s' "$option" "$value" >"$test_folder/options/$option.$value"
	done
	printf -- '-p\n50,99.9\n--%s\n-t\niqn.*\n-x\n5\n3' "$option" >"$test_folder/options/$option"
	echo "\"--$option\""
done <"$test_folder/names" >"$test_folder/words"
printf '"%s"\n' html openmetrics csv -sid -cid 99.9 r2t,total help libiscsi= 'iqn.*' >>"$test_folder/words"

fuzz options 15 -max_len=300 -len_control=0 -dict="$test_folder/words"
fuzz replay 30 -max_len=8000 -len_control=0 -dict="$test_folder/members"
finish
