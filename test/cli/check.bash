# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the tests of the command line share: run the program, look at status, stdout and stderr.
# shellcheck shell=bash disable=SC2034 # the variables are for those who source this

test_source=${STORPROTOTRACE_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
test_build=${STORPROTOTRACE_BUILD:-$test_source/build}
test_binary=${STORPROTOTRACE_BINARY:-$test_build/storprototrace}
test_recording=$test_source/test/recordings/three_sessions.jsonl
test_folder=$(mktemp -d "${TMPDIR:-/tmp}/storprototrace-cli.XXXXXX")
trap 'rm -rf "$test_folder"' EXIT
test_out=$test_folder/out
test_err=$test_folder/err
failures=0

skip() {
	echo "skipped: $*"
	exit 77
}

failed() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# run COMMAND...: sets status. Nothing here takes long: 60 s means it hangs.
run() {
	status=0
	timeout 60 "$@" >"$test_out" 2>"$test_err" </dev/null || status=$?
}

show() {
	sed 's/^/    stdout: /' "$test_out" | head -n 20
	sed 's/^/    stderr: /' "$test_err" | head -n 20
}

# expect STATUS WHAT: of the last run.
expect() {
	[ "$status" -eq "$1" ] && return
	failed "$2: exit status $status instead of $1"
	show
}

# expect_err TEXT WHAT, expect_out TEXT WHAT: the last run said it.
expect_err() {
	grep -qF -- "$1" "$test_err" && return
	failed "$2: stderr does not say '$1'"
	show
}

expect_out() {
	grep -qF -- "$1" "$test_out" && return
	failed "$2: stdout does not say '$1'"
	show
}

expect_no_out() {
	[ ! -s "$test_out" ] && return
	failed "$1: stdout is not empty"
	show
}

# The last lines of each test.
finish() {
	[ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
	echo "all passed"
}

[ -x "$test_binary" ] || { echo "no program at $test_binary"; exit 1; }
