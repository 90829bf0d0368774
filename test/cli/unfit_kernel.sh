#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A kernel that lacks what is needed: exit status 4 at once, one sentence and a hint, nothing on stdout.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

[ "$(id -u)" -eq 0 ] || skip "needs root, else the missing privilege is reported first"
[ ! -d /sys/module/libiscsi ] || skip "this kernel has libiscsi loaded: it may well be fit"

unfit() {
	run "$test_binary" "$@"
	expect 4 "storprototrace $*"
	expect_no_out "storprototrace $*"
	expect_err "storprototrace: " "storprototrace $*"
	expect_err "hint: " "storprototrace $*"
	! grep -q libbpf: "$test_err" || { failed "storprototrace $*: libbpf's own messages"; show; }
	[ "$(wc -l <"$test_err")" -le 4 ] || { failed "storprototrace $*: more than a sentence and a hint"; show; }
}

# bpf(2) filtered away, as in a container.
if command -v python3 >/dev/null; then
	run python3 "$test_source/test/cli/without_bpf.py" "$test_binary" 1
	expect 4 "bpf(2) filtered"
	expect_no_out "bpf(2) filtered"
	expect_err "storprototrace: bpf system call: not usable: Operation not permitted" "bpf(2) filtered"
	expect_err "hint: " "bpf(2) filtered"
fi

# One interval or --strict: "not loaded yet" is not waited for either.
unfit -1
unfit --strict 1
unfit -j -1
# Without any probe mechanism there is nothing to wait for.
grep -qw register_kprobe /proc/kallsyms || unfit 1
finish
