#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A real Prometheus scrapes the listener, which replays a recording from the lab, and the same as a file by way of
# node_exporter: counters are what json says, and quantiles are those of -p 99 within the error of a bucket.
set -u
# shellcheck source=../cli/check.bash
. "$(dirname "$0")/../cli/check.bash"
node_exporter=$(command -v prometheus-node-exporter || command -v node_exporter) || skip "node_exporter is missing"
for tool in prometheus promtool curl jq; do
	command -v "$tool" >/dev/null || skip "$tool is missing"
done
prometheus --version 2>&1 | head -n 1
"$node_exporter" --version 2>&1 | head -n 1

# The recording at half its speed, for some scrapes of each interval; the first one is longer, lest it be missed.
recording=$test_folder/recording
sed -E '2s/"length_ns":[0-9]+/"length_ns":8000000000/; 3,$s/"length_ns":[0-9]+/"length_ns":2000000000/' "$test_source/test/recordings/lab.jsonl" >"$recording"
intervals=$(grep -c '"reading"' "$recording")
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$test_folder"' EXIT

free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# until SECONDS COMMAND...
until_true() {
	local end=$((SECONDS + $1))

	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || { failed "waited in vain for: $*"; return 1; }
		sleep 0.2
	done
}

prometheus_port=$(free_port) node_port=$(free_port) port=$(free_port)
cat >"$test_folder/prometheus.yml" <<YAML
global: {scrape_interval: 500ms, scrape_timeout: 500ms}
scrape_configs:
  - job_name: direct
    static_configs: [{targets: ["127.0.0.1:$port"]}]
  - job_name: textfile
    static_configs: [{targets: ["127.0.0.1:$node_port"]}]
YAML
run promtool check config "$test_folder/prometheus.yml"
expect 0 "promtool check config"

mkdir "$test_folder/textfile"
run "$test_binary" --replay "$recording" -f prometheus -o "$test_folder/textfile/storprototrace.prom"
expect 0 "the textfile"
"$node_exporter" --collector.disable-defaults --collector.textfile --collector.textfile.directory="$test_folder/textfile" \
	--web.listen-address="127.0.0.1:$node_port" 2>"$test_folder/node.log" &
prometheus --config.file="$test_folder/prometheus.yml" --storage.tsdb.path="$test_folder/data" --log.level=warn \
	--web.listen-address="127.0.0.1:$prometheus_port" 2>"$test_folder/prometheus.log" &
until_true 120 curl -sf "http://127.0.0.1:$prometheus_port/-/ready" || { cat "$test_folder/prometheus.log"; finish; }

# ask QUERY: the value of each series, with its session, as "SID VALUE", sorted.
ask() {
	curl -sf -G "http://127.0.0.1:$prometheus_port/api/v1/query" --data-urlencode "query=$1" |
		jq -r '.data.result[] | "\(.metric.sid // "-") \(.value[1])"' | sort
}

"$test_binary" --replay "$recording" --listen "127.0.0.1:$port" 2>"$test_folder/listen.log" &
tracer=$!
until_true 60 curl -sf "http://127.0.0.1:$port/metrics"
curl -s "http://127.0.0.1:$port/metrics" | promtool check metrics >"$test_folder/promtool" 2>&1 || failed "promtool check metrics"
[ ! -s "$test_folder/promtool" ] || { failed "promtool has remarks"; cat "$test_folder/promtool"; }
# Which formats are agreed on is told by what only one of them has.
has_units() {
	curl -sf "http://127.0.0.1:$prometheus_port/api/v1/targets/metadata?metric=storprototrace_command_duration_seconds" |
		jq -e '[.data[] | select(.target.job == "direct")][0].unit == "seconds"'
}
until_true 30 has_units && echo "Prometheus took OpenMetrics from the listener"
wait "$tracer" || failed "the replay"
echo "the recording of $intervals intervals was served"

# What counts since the start: json's last interval.
"$test_binary" -q --replay "$recording" --cumulative -j -p 99 >"$test_folder/json"
# last FILTER: of the last interval, "SID VALUE".
last() {
	jq -rs '(map(.time) | max) as $last | .[] | select(.type == "stats" and .time == $last) | "\(.sid) \('"$1"')"' "$test_folder/json" | sort
}

[ "$(last .sid | wc -l)" -ge 2 ] || failed "the recording has fewer than two sessions"
for job in direct textfile; do
	[ "$(ask "max_over_time(up{job=\"$job\"}[10m])")" = "- 1" ] || failed "$job was not scraped"
	for pair in commands_total=.ios transferred_bytes_total=.bytes reads_total=.ops.read.ios command_pdus_total=.pdus \
		command_duration_seconds_count=.ios commands_good_total=.good; do
		got=$(ask "last_over_time(storprototrace_${pair%%=*}{job=\"$job\"}[10m])")
		[ "$got" = "$(last "${pair#*=}")" ] || failed "$job: ${pair%%=*} is $got instead of $(last "${pair#*=}")"
	done
done
[ "$(ask 'last_over_time(node_textfile_scrape_error[10m])')" = "- 0" ] || failed "node_exporter had an error"

# agree NAME GOT WANTED: "SID SECONDS" against "SID NS". Buckets end at powers of two of a nanosecond and a quantile may be
# anywhere in its bucket; -p has 6.25 % at most.
agree() {
	paste -d' ' <(echo "$2") <(echo "$3") | awk -v name="$1" '
		NF != 4 || $1 != $3 || !($2 > 0) { print name ": no pair: " $0; bad = 1; next }
		{
			low = 1
			while (low * 2 <= $4) low *= 2
			printf "%s: session %s: %.3f ms by Prometheus, %.3f ms by -p 99\n", name, $1, $2 * 1e3, $4 / 1e6
			# What lies beside the end of a bucket may be counted in either.
			if ($2 * 1e9 < low * 0.9375 || $2 * 1e9 > 2 * low * 1.0625) { print name ": not the bucket from " low; bad = 1 }
		}
		END { exit bad || NR == 0 }' || failed "$1: a quantile is not that of -p 99"
}

for job in direct textfile; do
	agree "$job since the start" "$(ask "histogram_quantile(0.99, last_over_time(storprototrace_command_duration_seconds_bucket{job=\"$job\"}[10m]))")" \
		"$(last .stages.total.p99_ns)"
	agree "$job, target" "$(ask "histogram_quantile(0.99, last_over_time(storprototrace_stage_duration_seconds_bucket{job=\"$job\",stage=\"target\"}[10m]))")" \
		"$(last .stages.target.p99_ns)"
done
# What came after the first page, by what people ask; the first page was that of the first interval.
sed '2d' "$recording" >"$test_folder/rest"
"$test_binary" -q --replay "$test_folder/rest" --cumulative -j -p 99 >"$test_folder/json"
agree "direct, by rate()" "$(ask 'histogram_quantile(0.99, rate(storprototrace_command_duration_seconds_bucket{job="direct"}[10m]))')" \
	"$(last .stages.total.p99_ns)"
finish
