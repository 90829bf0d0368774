#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the tracer does without modules, without tracefs; and the keys of its JSON, exactly as published.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# expect_ended NAME STATUS
expect_ended() {
	use "$1"
	expect_equal "$(noted status)" "$2" "$1: exit status"
}

# expect_said COUNT TEXT: times stderr of the run in use says it.
expect_said() {
	expect_equal "$(grep -cF -- "$2" "$tracer_err")" "$1" "$(basename "$tracer_err"): times it says '$2'"
}

check_modules() {
	local name after

	for name in strict once; do
		expect_ended "$name" 4
		expect_said 1 'storprototrace: kernel modules libiscsi, libiscsi_tcp: not loaded'
		expect_said 1 'hint: '
		[ ! -s "$tracer_out" ] || failed "$name without modules: prints on stdout"
	done
	for name in vain-INT vain-TERM; do
		expect_ended "$name" 0
		echo "$name: ended after $(noted ms) ms"
		[ "$(noted ms)" -le 3000 ] || failed "$name: waiting for modules ended after $(noted ms) ms"
	done
	use early
	expect_said 1 'not loaded yet: waiting'
	# The first LUN scan goes on while the hooks are attached; one command of it may be under way when they are.
	[[ $(losses | xargs) =~ ^(no_start=[12])?$ ]] || failed "losses of a tracer that waited for the modules: $(losses | xargs)"
	expect_sound
	after=$(noted lines)
	tail -n "+$((after + 1))" "$tracer_out" >"$check_share/after.json"
	use after
	echo "started before the modules: $(total '.op == "read"' .ios) reads after the login"
	expect_equal "$(total '.op == "read"' .ios)" 101 "reads after the login"
}

check_tracefs() {
	expect_ended kprobe-no-tracefs 4
	expect_said 1 'storprototrace: --attach kprobe: this kernel cannot: it has no kprobe events in tracefs'
	expect_said 1 'hint: '
	[ ! -s "$tracer_out" ] || failed "kprobes without tracefs: prints on stdout"
	expect_ended kprobe-debugfs 0
	use fentry-no-tracefs
	echo "fentry without tracefs: $(total '.op == "read"' .ios) reads"
	expect_equal "$(total '.op == "read"' .ios)" 53 "reads without tracefs"
	expect_equal "$(losses)" "" "losses without tracefs"
}

# expect_keys FILTER EXPRESSION KEYS WHAT: every line that FILTER selects has these keys, in any order, and no others.
expect_keys() {
	local got wanted

	wanted=$(tr ' ' '\n' <<<"$3" | sort | tr '\n' ' ')
	got=$(jq -r "select($1) | $2 | keys | sort | join(\" \")" "$tracer_out" | sort -u)
	[ "$(tr ' ' '\n' <<<"$got" | sort | tr '\n' ' ')" = "$wanted" ] || failed "$4: keys '$got' instead of '$wanted'"
}

# One object per line, each accepted alone.
expect_lines() {
	local line

	while IFS= read -r line; do
		jq -e 'type == "object" and .schema == 1' <<<"$line" >/dev/null || failed "not an object of schema 1: $line"
	done <"$tracer_out"
}

check_keys() {
	local always='schema type time interval_ns ios pdus bytes errors inflight stages phases'
	local connection='sid cid target initiator portal cmdsn_window cmds_max'
	local more='good status_errors host_errors refused refused_window refused_no_task no_task retries aborted disrupted r2ts ops'
	local percentiles='p50_ns p90_ns p99_ns p999_ns' stats='.type == "stats"'

	more+=' oldest_ns inflight_stages'

	expect_ended by-connection 0
	expect_lines
	expect_equal "$(jq -rs 'map(.type) | join(" ")' "$tracer_out")" "$(printf 'stats loss %.0s' {1..5} | sed 's/ $//')" "-j 1 5: lines"
	expect_keys "$stats" . "$always $more $connection" "by connection"
	expect_keys "$stats" .stages.total "count sum_ns max_ns $percentiles" "a stage"
	expect_ended by-op 0
	expect_keys "$stats" . "$always $more op" "by op"
	expect_equal "$(jq -rs 'map(.op // empty) | sort | join(" ")' "$tracer_out")" "other read write" "by op: rows"
	use keys
	expect_lines
	expect_keys "$stats" . "$always $more $connection lun disk mpath queue_depth op" "by LUN and op"
	expect_keys "$stats" .stages "block busy queue send r2t data_out target data_in done total" "stages"
	expect_keys "$stats" '.stages[]' "count sum_ns max_ns $percentiles p99_95_ns" "-p 99.95"
	expect_keys "$stats" .phases "waiting sending complete" "phases"
	expect_keys "$stats" '.phases[]' "sum_ns max_ns" "a phase"
	expect_keys "$stats" .ops "read write other" "ops"
	expect_keys '.type == "loss"' . "schema type time map_full keys_full ring_full no_start stale missing_stamp clamped mismatch \
torn probe_misses event_full" "losses"
	expect_equal "$(jq -r 'select(.time | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[.][0-9]{3}Z$") | not) | .time' "$tracer_out")" "" "times"
	expect_equal "$(total '.op == "read"' .ios)" 31 "reads by LUN and op"
}

in_guest "${STORPROTOTRACE_LAB_KERNEL:-6.1}" 600 environment.sh
check_modules
check_tracefs
check_keys
finish
