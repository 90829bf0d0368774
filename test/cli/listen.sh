#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# --listen: the page is what -f prometheus prints, a recording plays at its own pace, and clients that are many, slow or
# hostile neither hold it up nor cost memory. The recording is that of replay.sh.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"
for tool in curl jq python3; do
	command -v "$tool" >/dev/null || skip "$tool is missing"
done
run "$test_binary" --listen :0 --replay "$test_folder/none"
! grep -q 'built without it' "$test_err" || skip "this build has no libmicrohttpd"

# Intervals that nobody waits for the end of, and short ones.
still=$test_folder/still
sed 's/"length_ns":[0-9]*/"length_ns":600000000000/' "$test_recording" >"$still"
quick=$test_folder/quick
sed 's/"length_ns":[0-9]*/"length_ns":200000000/' "$test_recording" >"$quick"

# serve RECORDING ARG...: in the background; sets pid and port. stopped: ends it.
serve() {
	local recording=$1

	shift
	: >"$test_err"
	"$test_binary" --replay "$recording" --listen "${address:-}:0" "$@" >"$test_out" 2>"$test_err" &
	pid=$!
	for _ in $(seq 200); do
		port=$(sed -nE 's/.* metrics are at http:.*:([0-9]+)\/metrics$/\1/p' "$test_err")
		[ -z "$port" ] || return
		sleep 0.1
	done
	failed "it does not listen: $*"
	show
	finish
}

stopped() {
	status=0
	kill "$pid" 2>/dev/null
	wait "$pid" || status=$?
	expect 0 "stopped while serving"
}

# fetch ARG...: curl; the answer in page, its headers in head.
fetch() {
	curl -sS -m 30 -D "$test_folder/head" -o "$test_folder/page" "$@" 2>"$test_folder/curl" ||
		{ failed "curl $*: $(cat "$test_folder/curl")"; return 1; }
	tr -d '\r' <"$test_folder/head" >"$test_folder/lines"
}

# answered STATUS HEADER...: the last one.
answered() {
	head -n 1 "$test_folder/lines" | grep -q "^HTTP/1.1 $1 " || failed "not $1: $(head -n 1 "$test_folder/lines")"
	shift
	while [ $# -gt 0 ]; do
		grep -qixF "$1" "$test_folder/lines" || failed "no '$1' in $(cat "$test_folder/lines")"
		shift
	done
}

# first_page: there from the first interval on.
first_page() {
	for _ in $(seq 100); do
		fetch "http://127.0.0.1:$port/metrics" || return
		! head -n 1 "$test_folder/lines" | grep -q ' 503 ' || { sleep 0.1; continue; }
		return
	done
	failed "there is no page"
}

# What is served is what is printed, whatever the filters.
text='Content-Type: text/plain; version=0.0.4; charset=utf-8'
openmetrics='Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8'
prometheus_accepts='Accept: application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
for arguments in '' '-b lun,op -s 1 -s 2' '--cumulative -b target'; do
	# shellcheck disable=SC2086 # words
	serve "$still" $arguments
	first_page
	answered 200 "$text" 'X-Content-Type-Options: nosniff'
	# shellcheck disable=SC2086 # words
	"$test_binary" --replay "$still" -f prometheus -1 $arguments | cmp - "$test_folder/page" || failed "the page of '$arguments' is another"
	fetch -H "$prometheus_accepts" "http://127.0.0.1:$port/metrics?name[]=x"
	answered 200 "$openmetrics"
	# shellcheck disable=SC2086 # words
	"$test_binary" --replay "$still" -f openmetrics -1 $arguments | cmp - "$test_folder/page" ||
		failed "the page of '$arguments' in OpenMetrics is another"
	stopped
	# -z and so on are about the page; nothing asks for reports.
	[ "$arguments" = "--cumulative -b target" ] || expect_no_out "--listen $arguments"
done

# Only reading, only there, and only on loopback.
serve "$still"
first_page
fetch -I "http://127.0.0.1:$port/metrics"
answered 200 "$text" "Content-Length: $("$test_binary" --replay "$still" -f prometheus -1 | wc -c)"
for method in POST PUT DELETE OPTIONS TRACE BREW; do
	fetch -X "$method" "http://127.0.0.1:$port/metrics"
	answered 405 'Allow: GET, HEAD'
done
fetch -d some=thing "http://127.0.0.1:$port/metrics"
answered 405
for path in /metric /metrics/ /METRICS /../metrics/x /favicon.ico; do
	fetch --path-as-is "http://127.0.0.1:$port$path"
	answered 404
done
fetch "http://127.0.0.1:$port/"
answered 200 'Content-Type: text/plain; charset=utf-8'
grep -q /metrics "$test_folder/page" || failed "/ does not tell where the page is"
! curl -s -m 5 "http://127.0.0.2:$port/metrics" >/dev/null || failed "it listens on more than loopback's own address"
run "$test_binary" --replay "$still" --listen ":$port"
expect 5 "a port that is taken"
expect_err "cannot listen on 127.0.0.1:$port: Address already in use" "a port that is taken"
stopped
if [ -e /proc/sys/net/ipv6 ] && [ "$(cat /proc/sys/net/ipv6/conf/lo/disable_ipv6)" = 0 ]; then
	address='[::1]' serve "$still"
	expect_err "http://[::1]:$port/metrics" "IPv6"
	fetch -g "http://[::1]:$port/metrics"
	stopped
fi

# Its own pace: five intervals of 0.2 s; reports as well where something is said about them, and these are as ever.
for arguments in '-x' '-f csv' '-f openmetrics'; do
	begin=$(date +%s%N)
	# shellcheck disable=SC2086 # words
	serve "$quick" $arguments
	first_page
	wait "$pid" || failed "the recording's end"
	took=$((($(date +%s%N) - begin) / 1000000))
	[ "$took" -ge 1000 ] || failed "$arguments: five intervals of 0.2 s took $took ms"
	# shellcheck disable=SC2086 # words
	"$test_binary" --replay "$quick" $arguments | cmp - "$test_out" || failed "$arguments: prints other reports than without --listen"
done
# The page counts since the start, while the table does not.
serve "$test_recording" -f csv --columns ios -b initiator
seen=''
while kill -0 "$pid" 2>/dev/null; do
	value=$(curl -s -m 30 "http://127.0.0.1:$port/metrics" | sed -nE 's/^storprototrace_commands_total\{.*\} //p')
	[ -z "$value" ] || seen+="$value"$'\n'
done
wait "$pid"
[ "$(paste -sd' ' "$test_out")" = "ios 1524 1524 1524 1524 1524" ] || failed "the reports beside the page: $(cat "$test_out")"
mapfile -t seen < <(sort -nu <<<"${seen%$'\n'}")
for value in "${seen[@]}"; do
	[[ " 1524 3048 4572 6096 7620 " == *" $value "* ]] || failed "a page counted '$value' commands"
done
[ ${#seen[@]} -ge 2 ] || failed "the page does not change: ${seen[*]}"

# Intervals of 0.1 s, more than enough of them, while clients do their worst. Sanitizers keep what was freed.
{
	head -n 1 "$test_recording"
	for _ in $(seq 240); do tail -n +2 "$quick" | sed 's/"length_ns":[0-9]*/"length_ns":100000000/'; done
} >"$test_folder/long"
memory=4096
! grep -q '^SANITIZE:BOOL=ON' "$test_build/CMakeCache.txt" 2>/dev/null || memory=1000000
serve "$test_folder/long" -f json
first_page
timeout 120 python3 "$(dirname "$0")/listen_hostile.py" "$port" "$pid" "$memory" "$test_out" || failed "hostile clients"
stopped
! grep -v 'metrics are at' "$test_err" || failed "it complained"

# Pages too large for the sockets' buffers, which nobody reads: not all of them are kept.
if [ "$memory" -lt 1000000 ]; then
	# shellcheck disable=SC2016 # jq's variable
	jq -c 'if .reading then .reading |= map_values(if type == "array" and (.[0] | type == "object" and has("sid"))
		then [range(6) as $copy | .[] | .sid += 10 * $copy] else . end) else . end' "$test_folder/long" >"$test_folder/wide"
	serve "$test_folder/wide" -b sid,lun,op
	first_page
	timeout 120 python3 "$(dirname "$0")/listen_unread.py" "$port" "$pid" || failed "clients that do not read"
	stopped
fi
finish
