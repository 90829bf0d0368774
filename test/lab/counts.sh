#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Known numbers of commands are counted exactly, on each kernel by every way of attaching it has; times agree with witnesses.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# growth NAME: of one of the initiator's counters.
growth() {
	echo $(($(noted "after.$1") - $(noted "before.$1")))
}

# check_lost WHAT COUNT: sets lost, empty when nothing was. Only kprobes may lose, and must say so.
check_lost() {
	local what=$1 count=$2 seen pdus missing

	lost=$(losses | tr '\n' ' ')
	seen=$(total true .ios)
	pdus=$(growth scsicmd_pdus)
	missing=$(($(loss no_start) + $(loss stale) + $(loss keys_full)))
	echo "$what: $seen commands, $(total true .pdus) of $pdus PDUs; losses: ${lost:-none}"
	[[ $what != *fentry* ]] || expect_equal "$lost" "" "$what: losses"
	expect_equal $((seen + missing)) "$count" "$what: seen + lost"
	[ -n "$lost" ] || expect_equal "$(total true .pdus)" "$pdus" "$what: growth of scsicmd_pdus"
}

# check_op OP WHAT: counts, bytes and mean.
check_op() {
	local what="$2 $1" ios bytes sum ratio fio_ns

	ios=$(total ".op == \"$1\"" .ios)
	bytes=$(total ".op == \"$1\"" .bytes)
	sum=$(total ".op == \"$1\"" .stages.total.sum_ns)
	ratio=$(jq -n "$sum / 1e2 / $(noted "$1.ticks") | round / 1e4")
	fio_ns=$(noted "$1.fio_ns")
	echo "$what: mean $(jq -n "$sum / $ios / 1e3 | round") us, $ratio of the disk's stat, fio $(jq -n "$fio_ns / 1e3 | round") us"
	expect_equal "$(noted "$1.ios")" 1009 "$what: growth of the disk's stat"
	expect_equal "$bytes" $((ios * 4096)) "$what: bytes"
	[ -n "$lost" ] || expect_equal "$ios" 1009 "$what: commands"
	# The stat ends in a softirq after scsi_done and is cut to whole ms; fio's time begins before the request and ends later.
	expect_true "$ratio > 0.95 and $ratio < 1.001" "$what: mean by the disk's stat"
	expect_true "$sum / $ios <= $fio_ns" "$what: mean is not above fio's"
}

check_exact() {
	local what="$1 $2 depth $3"

	use "$2-$3"
	check_lost "$what" 2018
	check_op read "$what"
	check_op write "$what"
	expect_sound
}

# check_large KERNEL HOW
check_large() {
	local what="$1 $2 large" stage reads writes

	use "$2-large"
	check_lost "$what" $((41 + 23))
	echo "$what: $(total true .r2ts) R2Ts; us of a read: $(means read); of a write: $(means write)"
	reads=$(total '.op == "read"' .ios)
	writes=$(total '.op == "write"' .ios)
	[ -n "$lost" ] || expect_equal "$reads $writes" "41 23" "$what: reads and writes"
	expect_equal "$(growth r2t_pdus)" $((23 * 4)) "$what: growth of r2t_pdus"
	expect_equal "$(total '.op == "write"' .r2ts)" $((writes * 4)) "$what: R2Ts of writes"
	expect_equal "$(total '.op == "read"' .r2ts)" 0 "$what: R2Ts of reads"
	expect_equal "$(total '.op == "read"' .bytes)" $((reads << 18)) "$what: bytes read"
	expect_equal "$(total '.op == "write"' .bytes)" $((writes << 20)) "$what: bytes written"
	for stage in r2t data_out; do
		expect_more "$(total '.op == "write"' ".stages.$stage.sum_ns")" 0 "$what: $stage of writes"
		expect_equal "$(total '.op == "read"' ".stages.$stage.max_ns")" 0 "$what: $stage of reads"
	done
	expect_more "$(total '.op == "read"' .stages.data_in.sum_ns)" 0 "$what: data_in of reads"
	expect_sound
}

# means OP: of each stage in us.
means() {
	records ".op == \"$1\" and .ios > 0" "(map(.ios) | add) as \$n | map(.stages | to_entries[]) | group_by(.key) |
		map(\"\(.[0].key) \((map(.value.sum_ns // 0) | add) / \$n / 1000 | round)\") | join(\" \")"
}

# A maximum belongs to its interval. The machine may be slow for a moment; a maximum that stays would fail each time.
check_maximum() {
	local next

	use maximum
	# shellcheck disable=SC2016 # jq's variable
	next=$(records '.ios > 0' '[.[].stages.total.max_ns / 1e6] | . as $max |
		[range(length - 1) | select($max[.] >= 50 and $max[. + 1] < 50) | $max[. + 1]] | min')
	echo "$1: maximum with a read of 50 ms $(jq -n "$(largest true .stages.total.max_ns) / 1e6") ms, in the next interval $next ms"
	expect_true "$next != null and $next < 20" "$1: the next interval's maximum in ms"
	expect_sound
}

check_kernel() {
	local how depth

	rm -f "$check_share/ways"
	in_guest "$1" 900 counts.sh
	for how in $(cat "$check_share/ways" || echo none); do
		for depth in $(depths "$how"); do
			check_exact "$1" "$how" "$depth"
		done
		check_large "$1" "$how"
	done
	check_maximum "$1"
	rm -f "$check_share"/*.json "$check_share"/*.notes
}

for kernel in ${STORPROTOTRACE_LAB_KERNELS:-6.1 6.12}; do
	check_kernel "$kernel"
done
finish
