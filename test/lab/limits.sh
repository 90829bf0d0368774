#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Hosts that lack something: each lack has its sentence, its hint and its exit status; what need not fail goes on.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# The limits of the product: the kernel's are 1,000,000 and 512.
instructions_max=500000
stack_max=256

# expect_refused NAME STATUS SENTENCE: one sentence, one hint, nothing on stdout.
expect_refused() {
	use "$1"
	expect_equal "$(noted status)" "$2" "$1: exit status"
	grep -qF -- "storprototrace: $3" "$tracer_err" || failed "$1: does not say '$3'"
	expect_equal "$(grep -c '^hint: ' "$tracer_err")" 1 "$1: hints"
	! grep -q libbpf: "$tracer_err" || failed "$1: libbpf's own messages"
	[ ! -s "$tracer_out" ] || failed "$1: prints on stdout"
}

# expect_counted NAME: the reads, all of them; kprobes may miss some and say so (before 5.12 they do not).
expect_counted() {
	local lost

	use "$1"
	lost=$(($(loss no_start) + $(loss stale)))
	[ "$lost" -le 2 ] || failed "$1: $lost reads lost"
	expect_equal $(($(total '.op == "read"' .ios) + lost)) 53 "$1: reads"
	expect_sound
}

# Lines "PROGRAM INSTRUCTIONS STACK" from what the verifier says. It tells the frame of the program and of each function in it;
# calls nest three deep at most, so the program's own and the three largest are as much as there can be at a time.
programs() {
	awk '/^libbpf: prog .* BEGIN PROG LOAD LOG/ { split($0, part, "\047"); name = part[2] }
		/^stack depth / && name {
			count = split($3, depth, "+")
			stack = depth[1]
			for (calls = 0; calls < 3; calls++) {
				largest = 2
				for (i = 2; i <= count; i++) if (depth[i] + 0 > depth[largest] + 0) largest = i
				stack += depth[largest]
				depth[largest] = 0
			}
		}
		/^processed [0-9]+ insns/ && name { print name, $2, stack; name = "" }' "$tracer_err"
}

check_programs() {
	local name instructions stack how

	for how in fentry kprobe; do
		[ -e "$check_share/programs-$how.notes" ] || continue
		use "programs-$how"
		expect_equal "$(noted status)" 0 "$how, all options: exit status"
		programs >"$check_share/programs"
		expect_more "$(wc -l <"$check_share/programs")" 20 "$how: programs loaded"
		while read -r name instructions stack; do
			[ "$instructions" -le "$instructions_max" ] || failed "$name: $instructions instructions verified"
			[ "$stack" -le "$stack_max" ] || failed "$name: $stack bytes of stack"
		done <"$check_share/programs"
		echo "$how: $(wc -l <"$check_share/programs") programs; most instructions:" \
			"$(sort -k2,2nr "$check_share/programs" | head -n 1); most stack: $(sort -k3,3nr "$check_share/programs" | head -n 1)"
	done
}

check_drop() {
	local name

	for name in drop drop-kprobe; do
		expect_counted "$name"
		# Capability 39 is CAP_BPF.
		case $1 in
		5.10) expect_equal "$(noted capabilities)" 0000008000000000 "$name: capabilities" ;;
		*) expect_equal "$(noted capabilities)" 0000000000000000 "$name: capabilities" ;;
		esac
	done
	expect_equal "$(cat "$check_share/left")" 0 "--drop: probe events left over"
}

check_memory() {
	expect_refused memory 1 'BPF programs: cannot be loaded: Cannot allocate memory'
	case $1 in
	5.10) expect_refused memlock 3 'BPF programs: cannot be loaded: Operation not permitted' ;;
	*) use memlock; expect_equal "$(noted status)" 0 "memlock does not matter: exit status" ;;
	esac
}

check_container() {
	expect_counted outside
	use container
	[ ! -e "$check_share/container.notes" ] || failed "container: $(cat "$check_share/container.notes")"
	expect_equal "$(wc -c <"$check_share/events")" 0 "probe events left by both"
	expect_more "$(total '.op == "read"' .ios)" 100 "container: reads"
}

check_pointers() {
	expect_counted pointers
	use pointers-check
	expect_equal "$(jq -r 'select(.name == "session list") | .available' "$tracer_out")" false "kptr_restrict: session list"
	expect_equal "$(jq -r 'select(.name == "session list") | .lost' "$tracer_out")" "cmdsn_window, cmds_max" "kptr_restrict: lost"
}

check_btf() {
	expect_refused false-btf 4 'structures of the iSCSI modules: not known: a live session contradicts all that are declared'
	expect_refused no-btf 4 'this kernel: unfit for tracing: it has no BTF'
	expect_refused garbage-btf 4 '--btf: /proc/version: not BTF'
	expect_counted given-btf
}

check_lockdown() {
	expect_counted integrity
	expect_counted integrity-kprobe
	expect_refused confidentiality 4 'this kernel: locked down for confidentiality'
	use confidentiality-check
	expect_equal "$(noted status)" 4 "confidentiality, --check: exit status"
	expect_equal "$(jq -r 'select(.name == "lockdown") | .how' "$tracer_out")" confidentiality "--check: lockdown"
}

# A row of the table in doc/kernels.md: by which ways of attaching each stage is known, what the largest programs need.
table_row() {
	local way run stage row release structures auto

	use check
	auto=$(jq -r 'select(.name == "submit") | .how | split(" ")[0]' "$tracer_out")
	release=$(noted release)
	structures=$(jq -r 'select(.name == "structures") | .how | ltrimstr("by ") | split(" ")[0]' "$tracer_out")
	row="| $release | $structures |"
	for stage in block busy queue send r2t data_out target data_in "done"; do
		row+=' '
		for run in drop drop-kprobe; do
			use "$run"
			way=kprobe
			[ "$run" = drop-kprobe ] || way=$auto
			[ "$(records '.op == "read"' "map(.stages.$stage | type) | unique | join(\" \")")" = '"object"' ] || continue
			[[ "$row" == *" $way " ]] || row+="$way "
		done
		row="${row% } |"
	done
	echo "${row% } $(largest_programs) |"
}

# The most instructions and the most stack, of all programs in both ways.
largest_programs() {
	local how

	for how in fentry kprobe; do
		[ -e "$check_share/programs-$how.notes" ] || continue
		use "programs-$how"
		programs
	done | awk '{ if ($2 > most) most = $2; if ($3 > stack) stack = $3 } END { print most " | " stack }'
}

rows=${STORPROTOTRACE_BUILD:-$check_source/build}/kernel-table.md
: >"$rows"
for kernel in ${STORPROTOTRACE_LAB_KERNELS:-6.1}; do
	in_guest "$kernel" 900 limits.sh
	check_programs
	check_drop "$kernel"
	check_memory "$kernel"
	check_container
	check_pointers
	check_btf
	check_lockdown
	table_row | tee -a "$rows"
	rm -f "$check_share"/*.{json,err,notes} "$check_share"/{left,events}
done
finish
