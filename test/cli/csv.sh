#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Comma-separated values: readers get the numbers and names that the machine format has. The recording is that of replay.sh.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
command -v jq >/dev/null || skip "jq is missing"

play() {
	run "$test_binary" --replay "$test_recording" "$@"
	expect 0 "$*"
}

# is WANTED WHAT: the last output.
is() {
	[ "$(cat "$test_out")" = "$1" ] && return
	failed "$2"
	show
}

# The same names and values as in the machine format, flattened; losses are columns of each line.
# shellcheck disable=SC2016 # jq's variables
flatten='
	def flat: [paths(type != "object") as $p | {key: ($p | map(select(. != "stages" and . != "phases" and . != "ops")) | join("_")),
		value: getpath($p)}] | from_entries;
	# Null as a whole in an older recording.
	def each_stage: .inflight_stages //= (["busy", "queue", "send", "r2t", "data_out", "target", "data_in", "done"] |
		map({(.): {count: null, oldest_ns: null}}) | add);
	def nothing: if . == null then "" else tostring end;
	[.[] | select(.type == "stats")] as $stats | [.[] | select(.type == "loss")] as $losses |
	$stats[] | . as $record | ($losses[] | select(.time == $record.time)) as $loss |
	($record | del(.schema, .type) | each_stage | flat) + ($loss | del(.schema, .type, .time) | with_entries(.key |= "loss_" + .)) |
	to_entries | map(.key + "=" + (.value | nothing)) | join(",")'
for arguments in '' '-b sid,lun,op' '-b mpath -p 95,99.95' '-b op -s 1 --cumulative' '-s 7' '-z -s 1 --op other'; do
	# shellcheck disable=SC2086 # words
	play -j $arguments
	jq -rs "$flatten" "$test_out" >"$test_folder/wanted"
	# shellcheck disable=SC2086 # words
	play -f csv $arguments
	awk -F, 'NR == 1 { split($0, name); next } { line = ""
		for (i = 1; i <= NF; i++) line = line (i > 1 ? "," : "") name[i] "=" $i
		print line }' "$test_out" >"$test_folder/got"
	cmp -s "$test_folder/wanted" "$test_folder/got" || {
		failed "csv is not what json is: $arguments"
		diff <(tr , '\n' <"$test_folder/wanted") <(tr , '\n' <"$test_folder/got") | head -n 20
	}
done
[ "$(grep -c '^time,' "$test_out")" -eq 1 ] || failed "not one header"
! grep -q $'\r' "$test_out" || failed "lines end with a carriage return"

# Chosen columns, in their order.
play -f csv -s 1 -b lun,op --columns ios,op,lun,read_ios,total_max_ns -1
is 'ios,op,lun,read_ios,total_max_ns
101,read,0,101,124000
131,write,0,0,221000
0,other,0,0,0
103,read,1,103,129000
137,write,1,0,226000
0,other,1,0,0' "chosen columns of csv"
play -s 1 -b lun,op -z --columns WORST,OP,r/s,LUN -1
[ "$(awk '{ $1 = $1; print }' "$test_out")" = 'WORST OP r/s LUN
target read 101 0
target write 0 0
target read 103 1
target write 0 1
target all 204 -' ] || { failed "chosen columns of the table"; show; }

# Names with everything that needs quotes, and a real reader.
original=$test_recording
test_recording=$test_folder/names
sed 's/iqn.2026-01.org.storprototrace:a"/iqn.q\\"uote:back\\\\slash,comma:new\\nline"/g' "$original" >"$test_recording"
play -f csv -s 1 -1 --columns sid,target,ios
is 'sid,target,ios
1,"iqn.q""uote:back\slash,comma:new
line",472' "names that need quotes"
if command -v python3 >/dev/null; then
	got=$(python3 -c 'import csv, sys
print([[row["sid"], row["target"], row["ios"]] for row in csv.DictReader(open(sys.argv[1], newline=""), strict=True)])' "$test_out")
	[ "$got" = "[['1', 'iqn.q\"uote:back\\\\slash,comma:new\\nline', '472']]" ] || failed "python3 read $got"
else
	echo "not read by python3, which is not here"
fi
finish
