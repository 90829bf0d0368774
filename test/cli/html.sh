#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A report as a web page is whole by itself, safe, and has the recording's numbers. The recording is that of replay.sh.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
command -v python3 >/dev/null || skip "python3 is missing"

play() {
	run "$test_binary" --replay "$test_recording" "$@"
	expect 0 "$*"
}

# same WHAT ARG...: the page has what -j says of the same recording.
page=$test_folder/page.html
same() {
	local what=$1

	shift
	play -f html -o "$page" "$@"
	expect_no_out "$what"
	play -j -b initiator "$@"
	mv "$test_out" "$test_folder/intervals"
	play -j --cumulative "$@"
	mv "$test_out" "$test_folder/sums"
	python3 "$test_source/test/cli/html_page.py" "$page" "$test_folder/intervals" "$test_folder/sums" || failed "$what"
}

same "all of it"
same "one session" -s 3
same "longer intervals" 2
same "other percentiles" -p 10,99,99.99
same "one interval" -1
same "nothing of it" -s 1 --op other
play -f html
cmp -s "$test_out" "$page" && failed "the page does not depend on the filter"

# A real one.
original=$test_recording
test_recording=$test_source/test/recordings/slow_network.jsonl
same "a recording of the lab"
play -f html --heatmap=target
expect_out "Commands by latency: target (ms)" "a heatmap of another stage"
test_recording=$original

# Names that mean harm, events, and losses; and more intervals than a page has columns.
python3 - "$original" "$test_folder" <<'END'
import json, sys

def write(name, lines):
    with open(sys.argv[2] + "/" + name, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)

lines = [json.loads(line) for line in open(sys.argv[1])]
for line in lines[1:]:
    for session in line["reading"]["sessions"][:2]:
        session["target"] = "<script src=\"//h/\">'&\u202e--><b onload=x>\x01\u9999"
at = 1796000000500000000
lines[2]["events"] = [
    {"type": "session", "time_ns": at, "sid": 2, "cid": 0, "turn": 2, "code": 1011},
    {"type": "command", "time_ns": at, "sid": 1, "cid": 0, "lun": 0, "op": 0, "opcode": 40, "lba": 2048, "blocks": 8,
     "length": 4096, "bytes": 4096, "result": 0, "attempts": 1, "stage": 6, "stages": [1, 0, 0, 0, 0, 0, 49, 0, 0, 50]}]
lines[3]["reading"]["loss"]["torn"] = 7
write("hostile", lines)

head, first = [json.loads(line) for line in open(sys.argv[1])][:2]
first["rows"], first["hists"] = first["rows"][:1], first["hists"][:1]
many = [head]
for i in range(1000):
    first["reading"].update(number=i + 1, start_ns=first["reading"]["start_ns"] + 1000000000)
    many.append(json.loads(json.dumps(first)))
write("long", many)
many[2]["reading"]["start_ns"] += 86400 * 1000000000
write("days", many[:3])
write("empty", [head])
END
test_recording=$test_folder/hostile
same "names that mean harm"
grep -q '<script' "$page" && failed "a name became a tag"
grep -q '&#60;script' "$page" || failed "the name that means harm is not there"
grep -q $'\xe2\x80\xae' "$page" && failed "a name changes the direction of writing"
grep -q '(torn)' "$page" || failed "a loss is not told"
[ "$(grep -c 'class="mark session"' "$page")/$(grep -c 'class="mark command"' "$page")" = 3/3 ] || failed "not a mark per event and chart"
grep -q 'connection error 1011' "$page" || failed "an event is not told"

# Neighbours are added up, nothing is lost.
test_recording=$test_folder/long
play -f html -s 1
expect_out "In the charts 2 intervals are one column" "a thousand intervals"
[ "$(grep -c '<tr><td data-ns="[0-9]*">[0-9:]*</td><td data-ns="2000000000">2.00</td><td>202</td>' "$test_out")" = 500 ] ||
	failed "a thousand intervals are not 500 columns"
expect_out "<b>101000</b> commands" "a thousand intervals"

# Of more than a day the day is told.
test_recording=$test_folder/days
TZ=UTC play -f html
expect_out ">11-30 00:53:21<" "the first of two days"
expect_out ">12-01 00:53:22<" "the second of two days"

# Nothing at all is a page, too; what cannot be written is said.
test_recording=$test_folder/empty
play -f html
expect_out "There was no interval" "a page of nothing"
if [ -w /dev/full ]; then
	run "$test_binary" --replay "$original" -f html -o /dev/full
	expect 5 "a page on a full disk"
fi
finish
