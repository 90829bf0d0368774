#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every value agrees across formats, as real readers read them: jq, Python's csv and json, sqlite3; and no locale changes one.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
for tool in jq python3 sqlite3 localedef; do
	command -v "$tool" >/dev/null || skip "$tool is missing"
done

columns=SID,LUN,OP,ios,bytes,good,status,hosterr,pdus,refused,refwin,reftask,notask,retries,aborted,disrupted,r2ts,infl
for recording in "$test_source"/test/recordings/*.jsonl; do
	for format in json csv prometheus openmetrics table; do
		shown=()
		[ $format != table ] || shown=(--columns "$columns")
		# What is scraped counts since the start. The last interval's: csv has one header.
		run "$test_binary" -q --replay "$recording" --cumulative -b sid,lun,op -f $format "${shown[@]}" --no-session-events
		expect 0 "$recording as $format"
		case $format in
		json) jq -cs '(map(.time) | max) as $last | .[] | select(.time == $last)' "$test_out" ;;
		csv) awk -F, 'NR == 1 { print; next } $1 != time { kept = ""; time = $1 } { kept = kept $0 "\n" } END { printf "%s", kept }' "$test_out" ;;
		*) tac "$test_out" | awk -v head="$(head -n 1 "$test_out")" '{ print } $0 == head { exit }' | tac ;;
		esac >"$test_folder/$format"
	done
	run python3 "$(dirname "$0")/readers.py" "$test_folder"
	expect 0 "${recording##*/}"
	[ "$status" -ne 0 ] || sed "s/^/${recording##*/}: /" "$test_out"
done

# What the table has of an interval with -x is exact where the interval is a second and numbers are short.
run "$test_binary" -q --replay "$test_recording" -x -1 -b sid,lun,op
awk 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $1 != "all" { print $at["SID"] "," $at["LUN"] "," $at["OP"] "," \
	$at["r/s"] "," $at["w/s"] "," $at["o/s"] "," $at["errors"] "," $at["refused"] "," $at["retries"] "," $at["infl"] }' \
	"$test_out" >"$test_folder/table"
run "$test_binary" -q --replay "$test_recording" -f csv -1 -b sid,lun,op \
	--columns sid,lun,op,read_ios,write_ios,other_ios,errors,refused,retries,inflight
tail -n +2 "$test_out" | cmp - "$test_folder/table" || { failed "the table is not what csv is"; diff "$test_folder/table" "$test_out"; }
[ "$(wc -l <"$test_folder/table")" -eq 18 ] || failed "the table has not 18 rows"

# A locale with a decimal comma and names of its own changes nothing.
mkdir "$test_folder/locales"
run localedef -i de_DE -f UTF-8 "$test_folder/locales/de_DE.UTF-8"
expect 0 "localedef"
export LOCPATH=$test_folder/locales
[ "$(LC_ALL=de_DE.UTF-8 locale decimal_point)" = , ] || failed "there is no locale with a comma"
for recording in "$test_source"/test/recordings/*.jsonl; do
	for format in json csv prometheus openmetrics; do
		LC_ALL=C "$test_binary" -q --replay "$recording" -f $format -b lun,op -p 50,99.95 >"$test_folder/c"
		LC_ALL=de_DE.UTF-8 "$test_binary" -q --replay "$recording" -f $format -b lun,op -p 50,99.95 >"$test_folder/de"
		[ -s "$test_folder/c" ] || failed "$format is empty"
		cmp "$test_folder/c" "$test_folder/de" || failed "the locale changes $format"
	done
done
LC_ALL=C "$test_binary" -q --replay "$test_recording" -x -p 50,99.95 >"$test_folder/c"
LC_ALL=de_DE.UTF-8 "$test_binary" -q --replay "$test_recording" -x -p 50,99.95 >"$test_folder/de"
# Names are shortened otherwise where there is an ellipsis; numbers are the same.
cmp <(grep -oE '[0-9]+[.,][0-9]+' "$test_folder/c") <(grep -oE '[0-9]+[.,][0-9]+' "$test_folder/de") || failed "the locale changes the table's numbers"
finish
