#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# --check says what is there; a hook left out makes its stages unknown, never 0; computed structures are those of BTF.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# row NAME KEY: of the check in use.
row() {
	jq -r "select(.name == \"$1\") | .$2" "$tracer_out"
}

# expect_check NAME STATUS
expect_check() {
	use "$1"
	expect_equal "$(noted status)" "$2" "--check, $1: exit status"
	jq -e . "$tracer_out" >/dev/null || failed "--check, $1: not JSON"
}

check_checks() {
	local kernel=$1 hook how

	expect_check plain 0
	for hook in submit dequeue sent r2t response complete cleanup refused; do
		how=$(row "$hook" how)
		expect_equal "$(row "$hook" available)" true "$kernel: hook $hook"
		[[ $how =~ ^(fentry|kprobe|tracepoint)\  ]] || failed "$kernel: hook $hook: '$how'"
	done
	expect_equal "$(row structures available)" true "$kernel: structures"
	expect_check no-module-btf 0
	[[ $(row structures how) == computed* ]] || failed "$kernel: without module BTF: structures '$(row structures how)'"
	expect_equal "$(row submit how)" "kprobe iscsi_queuecommand" "$kernel: without module BTF: submit"
	if [ -e "$check_share/files.json" ]; then
		expect_check files 0
		expect_equal "$(row submit how)" "kprobe iscsi_queuecommand" "$kernel: BTF from files: submit"
		expect_check false-files 4
	fi
	expect_check submit 4
	expect_equal "$(grep -c 'left out, but needed' "$tracer_err")" 1 "--without submit: message"
	expect_check r2t 0
	expect_equal "$(row r2t available)" false "--without r2t: available"
	[ "$(row r2t lost)" != null ] || failed "--without r2t: nothing is said to be lost"
	expect_check no-session 4
	expect_equal "$(grep -c 'hint: ' "$tracer_err")" 1 "no modules: hint"
}

# check_without HOOK STAGE...: these stages are null in every record, all others have a time.
check_without() {
	local hook=$1 stage kind

	shift
	use "without-$hook"
	expect_equal "$(total '.op == "read"' .ios) $(total '.op == "write"' .ios)" "53 7" "--without $hook: commands"
	for stage in block busy queue send r2t data_out target data_in "done" total; do
		kind=object
		case " $* " in *" $stage "*) kind=null ;; esac
		expect_equal "$(records '.op == "write" and .ios > 0' "map(.stages.$stage | type) | unique | join(\" \")")" "\"$kind\"" \
			"--without $hook: stage $stage"
	done
	expect_sound
}

check_members() {
	local computed

	grep ' lies at ' "$check_share/lies.plain" | sed 's/ (.*//' >"$check_share/plain"
	grep ' lies at ' "$check_share/lies.computed" | sed 's/ (.*//' >"$check_share/computed"
	computed=$(grep -c '(computed)' "$check_share/lies.computed")
	echo "$1: $(wc -l <"$check_share/plain") members, $computed of them computed"
	expect_more "$computed" 20 "$1: members computed"
	diff "$check_share/plain" "$check_share/computed" || failed "$1: computed members lie elsewhere"
}

for kernel in ${STORPROTOTRACE_LAB_KERNELS:-5.10}; do
	in_guest "$kernel" 600 hooks.sh
	cat "$check_share/check.txt"
	check_checks "$kernel"
	check_members "$kernel"
	check_without dequeue send
	check_without sent r2t data_out target
	check_without r2t r2t data_out
	check_without response data_in
	check_without complete "done"
	check_without refused
	rm -f "$check_share"/*.json "$check_share"/*.notes "$check_share"/lies.*
done
finish
