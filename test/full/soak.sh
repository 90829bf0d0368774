#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Ten minutes of faults at random under load, of sessions coming and going: every command is accounted for by the witnesses'
# counts, and nothing is left behind in a map or in the process. `soak.sh KERNEL HOW SECONDS SEED` repeats a run, or makes a
# shorter one.
set -u
# shellcheck source=../lab/lab_check.bash
. "$(dirname "$0")/../lab/lab_check.bash"
kernel=${1:-6.12} how=${2:-fentry} seconds=${3:-600} seed=${4:-$RANDOM}

# grown NAME: from before to after.
grown() {
	echo $(($(noted "after.$1") - $(noted "before.$1")))
}

# Sessions that stay, by the initiator's counts; a task that is managed is no command.
check_sessions() {
	local of

	for of in $(noted sids | tr , ' '); do
		echo "session $of: $(total ".sid == $of" .ios) commands, $(total ".sid == $of" .pdus) PDUs, retries $(total ".sid == $of" .retries)," \
			"aborted $(total ".sid == $of" .aborted), disrupted $(total ".sid == $of" .disrupted), errors $(total ".sid == $of" .errors)"
		expect_equal "$(total ".sid == $of" .pdus)" "$(grown "$of.scsicmd_pdus")" "session $of: PDUs"
		expect_equal "$(total ".sid == $of" .r2ts)" "$(grown "$of.r2t_pdus")" "session $of: R2Ts"
		expect_more "$(total ".sid == $of" .ios)" 500 "session $of: commands"
	done
}

# Their disks, by the block layer's count of what ended.
check_disks() {
	local item of lun disk

	for item in $(noted disks | tr , ' '); do
		IFS=. read -r of lun disk <<<"$item"
		expect_equal "$(total ".sid == $of and .lun == $lun and .op != \"other\"" .ios)" "$(grown "$disk")" "disk $disk: commands"
	done
}

# Sessions that came and went.
check_passing() {
	local of count=0

	while read -r of; do
		count=$((count + 1))
		expect_equal "$(total ".sid == $of" .pdus)" "$(noted "pdus.$of")" "passing session $of: PDUs"
		expect_equal "$(total ".sid == $of and .op == \"read\"" .ios)" "$(noted "reads.$of")" "passing session $of: reads"
	done < <(sed -n 's/^pdus\.\([0-9]*\) .*/\1/p' "${tracer_out%.json}.notes")
	echo "$count sessions came and went"
	expect_more "$count" 0 "sessions that came and went"
	expect_equal "$(events '.event == "logout"' length)" "$count" "logouts told"
	expect_equal "$(events '.event == "login" and .code_name == "new"' length)" "$count" "logins told"
}

events() {
	jq -s "[.[] | select(.type == \"session\") | select($1)] | $2" "$tracer_out"
}

check_left() {
	local map middle

	expect_equal "$(records true 'map(select(.inflight > 0)) | length > 0')" true "in flight at some time"
	expect_equal "$(jq -s 'map(select(.type == "loss") | .time) as $times | [.[] | select(.type == "stats" and
		.time == $times[-2]) | .inflight] | add // 0' "$tracer_out")" 0 "in flight at the end"
	expect_equal "$(noted map.inflight)" 0 "places taken in the table of commands in flight"
	for map in blocked recoveries nops; do
		expect_equal "$(noted "map.$map")" 0 "map $map: entries"
	done
	# Of the two sessions that stay: three operations on at most three LUNs, and on one.
	for map in sums_0 sums_1 hists_0 hists_1; do
		expect_true "$(noted "map.$map") <= 12" "map $map: $(noted "map.$map") entries"
	done
	echo "entries left: $(sed -n 's/^map\.//p' "${tracer_out%.json}.notes" | xargs)"
	# Buffers grow to what is needed at a time, within the first faults.
	sed -n 's/^rss\.[0-9]* //p' "${tracer_out%.json}.notes" >"$check_share/resident"
	middle=$(awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }' "$check_share/resident")
	echo "memory: $(xargs <"$check_share/resident"), after it $(noted rss_after) KiB"
	expect_true "$(noted rss_after) - $middle < 512" "memory: KiB from $middle in the middle to $(noted rss_after)"
}

echo "seed $seed"
in_guest "$kernel" $((seconds * 2 + 600)) soak.sh "$how" "$seconds" "$seed"
use soak
[ -s "$tracer_out" ] || { failed "nothing was traced"; finish; }
check_sessions
check_disks
check_passing
check_left
expect_equal "$(events '.event == "blocked"' length)" "$(events '.event == "unblocked"' length)" "sessions unblocked again"
expect_equal "$(losses | tr '\n' ' ')" "" "losses"
expect_sound
[ "$failures" -eq 0 ] || echo "repeat it with: $0 $kernel $how $seconds $seed"
finish
