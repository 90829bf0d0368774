#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What monitoring scrapes: expositions are well-formed by our own rules and for readers of others, files are replaced whole.
# The recording is that of replay.sh.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

play() {
	run "$test_binary" --replay "$test_recording" "$@"
	expect 0 "$*"
}

# Every sample is well-formed, stands once, below the one head of its family; counters say so by their name; buckets
# grow, the last one is the count. One exposition.
cat >"$test_folder/strict.awk" <<'AWK'
function wrong(why) { print "line " NR ": " why ": " $0; bad = 1 }
function base(name) { sub(/_(total|bucket|sum|count)$/, "", name); return name }
/^# HELP / || /^# TYPE / || /^# UNIT / {
	if ($2 == "HELP" && helped[$3]++) wrong("a second HELP")
	if ($2 == "TYPE") {
		if (typed[$3]) wrong("a second TYPE")
		typed[$3] = $4
		family = $3
		if (open_metrics == ($4 == "counter" && $3 ~ /_total$/) && $4 == "counter") wrong("_total")
	}
	if ($2 == "UNIT" && (!open_metrics || substr($3, length($3) - length($4)) != "_" $4)) wrong("the unit")
	next
}
/^# EOF$/ { ended = NR; next }
/^#/ { wrong("a comment that is none"); next }
{
	if (!match($0, /^[a-z_0-9]+(\{([a-z]+="([^"\\]|\\["\\n])*"(,[a-z]+="([^"\\]|\\["\\n])*")*)?\})? [0-9.]+$/)) wrong("malformed")
	name = $0
	sub(/[{ ].*/, "", name)
	key = $0
	sub(/ [0-9.]+$/, "", key)
	value = $NF + 0
	if (seen[key]++) wrong("a second time")
	type = typed[family]
	if (type == "gauge" && name != family) wrong("outside of its family")
	if (type == "counter" && name != base(family) "_total") wrong("outside of its family")
	if (type == "histogram" && base(name) != family) wrong("outside of its family")
	if (!helped[family]) wrong("no HELP")
	if (type != "histogram") next
	if (name ~ /_bucket$/) {
		le = key
		sub(/.*le="/, "", le)
		sub(/"}$/, "", le)
		if (value < count) wrong("a bucket less than the one before")
		if (le != "+Inf" && le + 0 <= last) wrong("le does not grow")
		count = value
		last = le == "+Inf" ? -1 : le + 0
		all = le == "+Inf"
	}
	if (name ~ /_count$/) {
		if (!all || value != count) wrong("not the bucket of all")
		count = last = all = 0
	}
	samples++
}
END { if (open_metrics && ended != NR) { print "no EOF at the end"; bad = 1 } print samples + 0 " histogram samples"; exit bad }
AWK

# well_formed FORMAT WHAT: the last output.
well_formed() {
	awk -v open_metrics="$([ "$1" = openmetrics ] && echo 1 || echo 0)" -f "$test_folder/strict.awk" "$test_out" \
		>"$test_err" || { failed "$2: not well-formed"; show; }
}

# The parsers of the Python client, for whichever python3 has them; a reader of openmetrics is strict.
python=''
for candidate in python3 /usr/bin/python3; do
	"$candidate" -c 'import prometheus_client.openmetrics.parser' 2>/dev/null && python=$candidate && break
done
cat >"$test_folder/parse.py" <<'PYTHON'
import importlib, sys
parser = importlib.import_module({"prometheus": "prometheus_client.parser", "openmetrics": "prometheus_client.openmetrics.parser"}[sys.argv[1]])
families = list(parser.text_string_to_metric_families(sys.stdin.read()))
for family in families:
    for sample in family.samples:
        if sample.name == "storprototrace_commands_total":
            print(sample.labels.get("sid"), int(sample.value), repr(sample.labels.get("target")))
PYTHON

# read_by_others FORMAT WHAT: leaves what Python read in others.
read_by_others() {
	: >"$test_folder/others"
	if [ "$1" = prometheus ] && command -v promtool >/dev/null; then
		promtool check metrics <"$test_out" >"$test_err" 2>&1 || { failed "$2: promtool"; show; }
		[ ! -s "$test_err" ] || { failed "$2: promtool has remarks"; show; }
	fi
	[ -n "$python" ] || return
	"$python" "$test_folder/parse.py" "$1" <"$test_out" >"$test_folder/others" 2>"$test_err" ||
		{ failed "$2: the Python client"; show; }
}
echo "read by promtool: $(command -v promtool || echo not here), by Python's client: ${python:-not here}"

for format in prometheus openmetrics; do
	for arguments in '' '-b sid,lun,op' '-b mpath' '-b op,size' '-b initiator' '-s 7' '-z -s 1 --op other'; do
		# shellcheck disable=SC2086 # words
		play -f $format -1 $arguments
		well_formed $format "$format $arguments"
		read_by_others $format "$format $arguments"
	done
	# One exposition per interval, each about all since the start.
	play -f $format -b initiator
	[ "$(sed -nE 's/^storprototrace_commands_total\{.*\} //p' "$test_out" | tr '\n' ' ')" = "1524 3048 4572 6096 7620 " ] ||
		{ failed "$format: commands do not add up"; show; }
	expect_out 'storprototrace_command_duration_seconds_count{initiator="iqn.2026-01.org.storprototrace:initiator"} 7620' $format
	# The command of 50 ms came in the second interval: 33.5 ms < it <= 67.1 ms.
	for le in 0.033554431:7619 0.067108863:7620 +Inf:7620; do
		expect_out "command_duration_seconds_bucket{initiator=\"iqn.2026-01.org.storprototrace:initiator\",le=\"${le%:*}\"} ${le#*:}" $format
	done
done
[ "$(grep -c '^# EOF$' "$test_out")" -eq 5 ] || failed "openmetrics: not an EOF per interval"

# The sum of each stage over all of its records is that of the commands.
play -f prometheus -b sid,lun,op -1
[ "$(awk '/^storprototrace_stage_duration_seconds_sum/ { stages += $NF } /^storprototrace_command_duration_seconds_sum/ { all += $NF }
	END { printf "%d ns of %.3f s", (stages - all) * 1e9, all }' "$test_out")" = "0 ns of 0.437 s" ] || failed "the stages do not add up"

# shellcheck disable=SC2016 # no commands, Markdown
# The list of metrics for people has all of them, of their type, and no others.
diff <(sed -nE 's/^\| `(storprototrace_[a-z0-9_]+)` \| ([a-z]+) .*/\1 \2/p' "$test_source/doc/metrics.md" | sort) \
	<(sed -nE 's/^# TYPE //p' "$test_out" | sort) || failed "doc/metrics.md does not list what there is"

# Names with quotes, backslashes and newlines.
original=$test_recording
test_recording=$test_folder/names
sed 's/iqn.2026-01.org.storprototrace:a"/iqn.q\\"uote:back\\\\slash:new\\nline{},"/g' "$original" >"$test_recording"
for format in prometheus openmetrics; do
	play -f $format -1 -s 1
	expect_out 'target="iqn.q\"uote:back\\slash:new\nline{},"' "$format with names"
	well_formed $format "$format with names"
	read_by_others $format "$format with names"
	[ -z "$python" ] || [ "$(cat "$test_folder/others")" = "1 472 'iqn.q\"uote:back\\\\slash:new\\nline{},'" ] ||
		failed "the Python client read: $(cat "$test_folder/others")"
done
test_recording=$original

# A file is replaced whole: who looks at it again and again never sees a part of it, or nothing.
mkdir "$test_folder/folder"
file=$test_folder/folder/storprototrace.prom
{
	head -n 1 "$original"
	for _ in $(seq 40); do tail -n +2 "$original"; done
} >"$test_folder/long"
"$test_binary" --replay "$test_folder/long" -f openmetrics -b sid,lun,op -o "$file" 2>"$test_err" &
looks=0
while kill -0 $! 2>/dev/null; do
	[ -e "$file" ] || continue
	tail -n 1 "$file" >"$test_out"
	[ "$(cat "$test_out")" = '# EOF' ] || failed "a part of the file was seen"
	looks=$((looks + 1))
done
wait $! || failed "the long recording"
[ $looks -gt 0 ] || failed "nobody looked"
cp "$file" "$test_out"
well_formed openmetrics "the file"
[ "$(ls "$test_folder/folder")" = storprototrace.prom ] || failed "something is left beside the file: $(ls "$test_folder/folder")"
grep -q '^storprototrace_commands_total{sid="1".*lun="0".*op="read"} 20200$' "$file" || failed "the file is not the last interval's"

# What cannot be written leaves the file as it was.
cp "$file" "$test_folder/before"
run bash -c 'trap "" XFSZ; ulimit -f 4; exec "$@"' bash "$test_binary" --replay "$test_recording" -f prometheus -o "$file"
expect 5 "a file that may not grow"
expect_err "File too large" "a file that may not grow"
cmp -s "$file" "$test_folder/before" || failed "a file that may not grow: it was touched"
[ "$(ls "$test_folder/folder")" = storprototrace.prom ] || failed "a file that may not grow: something is left beside it"
# What is no file is not replaced, but written to.
mkfifo "$test_folder/pipe"
run bash -c '"$0" --replay "$1" -f openmetrics -1 -o "$2" & tail -n 1 "$2"; wait $!' "$test_binary" "$test_recording" "$test_folder/pipe"
expect 0 "a pipe"
expect_out '# EOF' "a pipe"
[ -p "$test_folder/pipe" ] || failed "the pipe was replaced"
finish
