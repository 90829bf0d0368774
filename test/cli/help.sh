#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# --help and --version print on stdout, nothing on stderr, and exit 0; the help names every option.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

quiet_success() {
	expect 0 "$1"
	[ -s "$test_out" ] || failed "$1: nothing on stdout"
	[ ! -s "$test_err" ] || { failed "$1: something on stderr"; show; }
}

for option in --help -h; do
	run "$test_binary" "$option"
	quiet_success "$option"
	for text in --target --initiator --sid --cid --lun --disk --op --by --once --cumulative --format --record --replay \
		--strict --attach --help --version interval count; do
		expect_out "$text" "$option"
	done
	awk 'length > 100 { exit 1 }' "$test_out" || failed "$option: a line is longer than 100 columns"
done
# Columns are listed by the names they can be chosen by.
run "$test_binary" --columns help
quiet_success "--columns help"
for column in SID r/s p99 WORST data_out; do expect_out "  $column " "--columns help"; done
run "$test_binary" --columns help -f csv -b lun,op -p 95
quiet_success "--columns help -f csv"
chosen=$(paste -sd, "$test_out")
run "$test_binary" --replay "$test_recording" -f csv -b lun,op -p 95 --columns "$chosen" -1
expect 0 "all columns of csv"
[ "$(head -n 1 "$test_out")" = "$chosen" ] || failed "all columns of csv, chosen by name: another header"

for option in --version -V; do
	run "$test_binary" "$option"
	quiet_success "$option"
	expect_out storprototrace "$option"
done
# One version, in one place.
version=$(sed -nE 's/^project\(storprototrace VERSION ([0-9.]+).*/\1/p' "$test_source/CMakeLists.txt")
expect_out "$version" --version
finish
