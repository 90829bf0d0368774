#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Filters, grouping and formats select and add up exactly what they name, played from a recording.
#
# The recording: five intervals of one second, the same counts in each, three sessions with two LUNs.
#   sid target            portal          LUN 0 reads, writes   LUN 1 reads, writes
#   1   …:a               10.0.0.5:3260   101, 131 sda mpatha   103, 137 sdb
#   2   …:a               [fd00::5]:3260  107, 139 sdc mpatha   109, 149 sdd
#   3   of 223 bytes      10.0.0.6:3260   113, 151 sde          127, 157 sdf
# All of 4 KiB; one read of session 3, LUN 1 takes 50 ms in interval 2.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
command -v jq >/dev/null || skip "jq is missing"

play() {
	run "$test_binary" --replay "$test_recording" "$@"
	expect 0 "$*"
}

# json FILTER WANTED ARG...: what jq makes of all stats lines, as a list.
json() {
	local filter=$1 wanted=$2 got

	shift 2
	play -j "$@"
	jq -e . "$test_out" >/dev/null || failed "$*: not JSON"
	got=$(jq -cs "[.[] | select(.type == \"stats\")] | $filter" "$test_out")
	[ "$got" = "$wanted" ] || failed "$*: $filter is $got instead of $wanted"
}

# selects COMMANDS ARG...: so many commands in each interval, and no record of anything else.
selects() {
	local wanted=$1

	shift
	json 'map(.ios) | add' $((5 * wanted)) "$@"
	json 'map(.bytes) | add' $((5 * 4096 * wanted)) "$@"
}

target=iqn.2026-01.org.storprototrace:a
all=$((101 + 131 + 103 + 137 + 107 + 139 + 109 + 149 + 113 + 151 + 127 + 157))
selects $all
selects $((101 + 131 + 103 + 137 + 107 + 139 + 109 + 149)) -t $target
selects $((113 + 151 + 127 + 157)) -t '*:long:*'
selects $all -i 'iqn.*:initiator'
selects $((101 + 131 + 103 + 137)) -s 1
selects $((101 + 131 + 103 + 137)) -sid 1
selects $((101 + 131 + 103 + 137)) -s 1 -c 0
selects $((101 + 131 + 103 + 137 + 113 + 151 + 127 + 157)) -s 1 -s 3
selects $((101 + 131 + 107 + 139 + 113 + 151)) -l 0
selects $((103 + 137)) -sid 1 -lun 1
selects $((109 + 149)) -d sdd
selects $((109 + 149)) -d 8:48
selects $((109 + 149)) -d /dev/sdd -d /dev/no-such-disk
selects $((101 + 131 + 107 + 139)) -d mpatha
selects $((101 + 131 + 107 + 139)) -d dm-0
selects $((107 + 139)) -d mpatha -s 2
selects $((101 + 103 + 107 + 109 + 113 + 127)) --op read
selects $((101 + 107)) -target $target -l 0 --op read
selects $((101 + 131 + 107 + 139)) -b mpath -t $target -l 0
# Nothing is selected: rows of the session with zeros, or none at all.
json 'map(.ios) | add' 0 -s 1 --op other
json length 0 -s 1 --op other -z
json length 0 -s 7

# One interval of the recording.
json length 3 -1
json length 3 -once
json 'map(.ios) | add' $((2 * all)) 1 2

# Longer intervals than it was recorded with; single ones are not cut.
json 'map([.interval_ns, .ios])' "[[2000000000,$((2 * 472))],[2000000000,$((2 * 472))],[1000000000,472]]" -s 1 2
json 'map(.ios)' "[$((3 * 472)),$((2 * 472))]" -s 1 3 2
json 'map(.ios)' "[$((5 * 472))]" -s 1 3600
json 'map(.stages.total.max_ns > 50000000)' '[true,false,false]' -s 3 2
json 'map(.ios)' '[472,472,472,472,472]' -s 1 0.5
expect_err "longer than 0.5 s" "an interval shorter than the recorded ones"
# By other groups, percentiles and columns than anybody thought of when it was recorded.
play -b lun,op -p 99.9 -H 5
[ "$(grep -c ': total of' "$test_out")" = 4 ] || { failed "not a histogram per LUN and operation"; show; }
expect_out "p99.9" "-b lun,op -p 99.9 -H"

# Grouping.
json 'map(.sid) | unique' '[1,2,3]'
json 'map(.portal) | unique' '["10.0.0.5:3260","10.0.0.6:3260","[fd00::5]:3260"]'
json 'map(select(.op == "write")) | map(.ios) | unique' "[$((131 + 137 + 139 + 149 + 151 + 157))]" -b op
json 'map([.disk, .ios])[:2]' "[[\"sda\",$((101 + 131))],[\"sdb\",$((103 + 137))]]" -b disk -s 1
json 'map(.target | length) | unique' '[223]' -s 3
json '.[-1].ios' $((5 * (101 + 131 + 103 + 137))) --cumulative -s 1
# The long command is in its interval only; the stages add up in all of them.
json 'map(.stages.total.max_ns > 50000000)' '[false,true,false,false,false]' -s 3
json 'map((.stages | del(.total) | map(.sum_ns) | add) == .stages.total.sum_ns) | unique' '[true]'
json 'map(.phases | map(.sum_ns) | add) == map(.stages.total.sum_ns)' true
json '.[0].stages.target | has("p99_95_ns") and has("p50_ns")' true -p 99.95
# One loss line per interval.
[ "$(jq -s 'map(select(.type == "loss")) | length' "$test_out")" -eq 5 ] || failed "not five loss lines"

# The table: at most 100 columns, the default's columns, a last row for all.
play
awk 'length > 100 { exit 1 }' "$test_out" || { failed "the table is wider than 100 columns"; show; }
for column in SID TARGET r/s w/s rMB/s wMB/s aqu avg p99 max host target+net WORST; do
	expect_out "$column" "the default table"
done
[ "$(grep -c '^ *all ' "$test_out")" -eq 5 ] || { failed "not one row for all per report"; show; }

# Rows keep their columns, with a header above them or not.
play -s 1
[ "$(grep '^ *1 ' "$test_out" | awk '{ print length }' | sort -u | wc -l)" -eq 1 ] || { failed "rows do not line up"; show; }

# -z with nothing to show: not even a header, only the stamps that were asked for.
play -s 1 --op other -z
expect_no_out "-z with nothing to show"
play -s 1 --op other -z -T
[ "$(grep -cE '^2026-11-[0-9T:]+[+-][0-9:]+$' "$test_out")/$(wc -l <"$test_out")" = 5/5 ] ||
	{ failed "-z -T with nothing to show: not five stamps"; show; }

# Names beyond ASCII, as UTF-8 and as none.
original=$test_recording
test_recording=$test_folder/names
sed $'s/iqn.2026-01.org.storprototrace:a/iqn.2026-01.org.m\xc3\xbcller:\xe7\x9b\x98/g; s/mpatha/mp\xffth/g' "$original" >"$test_recording"
selects $((101 + 131 + 103 + 137 + 107 + 139 + 109 + 149)) -t 'iqn.2026-01.org.müller:盘'
json 'map(.target) | unique' '["iqn.2026-01.org.müller:盘"]' -s 1
selects $((101 + 131 + 107 + 139)) -d $'mp\xffth'

# What was lost is said at the end, added up, in every format, and not where nothing was.
test_recording=$test_folder/losses
sed '3s/"torn":0/"torn":2/; 5s/"torn":0/"torn":3/; 4s/"map_full":0/"map_full":1009/' "$original" >"$test_recording"
for format in table json csv prometheus openmetrics; do
	play -f $format
	expect_err ": 5 (torn)" "$format of a recording with losses"
	expect_err ": 1009 (map_full)" "$format of a recording with losses"
	[ "$(wc -l <"$test_err")" -eq 3 ] || { failed "$format: not two losses and a hint"; show; }
done
# What one interval does not know takes nothing from what another lost.
sed '3s/"torn":0/"torn":2/; 5s/"torn":0/"torn":null/' "$original" >"$test_recording"
play
expect_err ": 2 (torn)" "a loss that one interval does not know"
play -j 5
grep -q '"torn":null' "$test_out" || { failed "a sum of which a part is unknown"; show; }
test_recording=$original
play
[ ! -s "$test_err" ] || { failed "nothing was lost, and yet it is not quiet"; show; }

# Single commands in a recording are shown, in their interval, unless they were too quick.
test_recording=$test_folder/events
event='{"type":"command","time_ns":1796000000500000000,"sid":1,"cid":0,"lun":0,"op":0,"opcode":40,"lba":2048,"blocks":8'
event+=',"length":4096,"bytes":4096,"result":0,"attempts":1,"stage":6,"stages":[1,0,0,0,0,0,49999999,0,0,50000000]}'
sed "2s/}\$/,\"events\":[$event]}/" "$original" >"$test_recording"
TZ=UTC play -s 1
[ "$(sed -n 1p "$test_out")" = "00:53:20.500 sid 1 sda READ(10) lba 2048 8 blocks 50.0 ms: target 50.0, good" ] ||
	{ failed "a recorded command"; show; }
for arguments in "--slower 50" "-e" "--stuck 1"; do
	# shellcheck disable=SC2086 # two words
	play -j $arguments
	[ "$(grep -c '"type":"command"' "$test_out")" = 1 ] || { failed "a recorded command with $arguments"; show; }
done
for arguments in "--slower 50.000001" "-s 2" "--op write"; do
	# shellcheck disable=SC2086 # two words
	play -j $arguments
	[ "$(grep -c '"type":"command"' "$test_out")" = 0 ] || { failed "a recorded command with $arguments"; show; }
done
test_recording=$original

# Recordings that are none, or not there.
echo '{"foo":1}' >"$test_folder/none"
run "$test_binary" --replay "$test_folder/none"
expect 1 "a file that is no recording"
expect_err "$test_folder/none" "a file that is no recording"
run "$test_binary" --replay "$test_folder/absent"
expect 1 "a recording that is not there"
expect_err "No such file" "a recording that is not there"
head -n 1 "$test_recording" >"$test_folder/empty"
run "$test_binary" --replay "$test_folder/empty"
expect 0 "a recording without intervals"
expect_err "no whole interval" "a recording without intervals"
run "$test_binary" --replay "$test_folder/empty" --strict
expect 1 "a recording without intervals with --strict"
expect_err "no whole interval" "a recording without intervals with --strict"
run "$test_binary" --replay "$test_recording" --strict -s 7
expect 1 "--strict with a session that is not there"
expect_err "sid 7" "--strict with a session that is not there"
finish
