#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Turns of sessions' lives, each provoked on real kernels: told in order, with the right numbers, names and durations.
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

# events FROM TO FILTER: events of the run in use between two marks, as "event code_name outcome".
events() {
	jq -r --argjson from "$(noted "$1")" --argjson to "$(noted "$2")" \
		"select(.type == \"session\") | (.time[:19] + \"Z\" | fromdate) as \$s | (\$s * 1000 + (.time[20:23] | tonumber)) as \$ms |
		select(\$ms >= (\$from / 1000000 | floor) and \$ms <= \$to / 1000000) | select($3) |
		[.event, (.code_name // empty), (.outcome // empty)] | join(\" \")" "$tracer_out"
}

# session_events FILTER EXPRESSION: over all of the run.
session_events() {
	jq -s "[.[] | select(.type == \"session\") | select($1)] | $2" "$tracer_out"
}

check_disrupted() {
	local sid seconds least most

	sid=$(noted disrupted_sid)
	events disrupted recovery_timeout ".sid == $sid" | tee "$check_share/order" | sed 's/^/    /'
	expect_equal "$(cut -d' ' -f1 "$check_share/order" | xargs)" \
		"connection_error connection_stop blocked login unblocked" "disrupted: order"
	grep -qxE 'connection_error (NOP_TIMEDOUT|CONN_FAILED|TCP_CONN_CLOSE|XMIT_FAILED)' "$check_share/order" || failed "disrupted: error"
	grep -qx 'connection_stop RECOVER' "$check_share/order" || failed "disrupted: stop"
	grep -qx 'login again' "$check_share/order" || failed "disrupted: login"
	seconds=$(session_events ".event == \"unblocked\" and .sid == $sid" '.[0].duration_ns / 1e9')
	least=$(($(noted unblocked_from) - $(noted blocked_to))) most=$(($(noted unblocked_to) - $(noted blocked_from)))
	echo "    blocked for $seconds s, as seen in sysfs between $least and $most us"
	# The first error comes some seconds after the wire broke: the session is blocked for less. The state changes in the
	# function whose beginning is seen.
	expect_true "$seconds > 1 and $seconds * 1e6 > $least - 2e5 and $seconds * 1e6 < $most + 2e5" "disrupted: blocked"
}

check_recovery_timeout() {
	local seconds

	events recovery_timeout recovered ".sid == $(noted disrupted_sid)" | tee "$check_share/order" | sed 's/^/    /'
	expect_equal "$(cut -d' ' -f1 "$check_share/order" | xargs)" \
		"connection_error connection_stop blocked recovery_timeout login" "recovery_timeout: order"
	seconds=$(session_events '.event == "recovery_timeout"' '.[0].duration_ns / 1e9')
	expect_true "$seconds > 1.9 and $seconds < 4" "recovery_timeout: duration"
}

check_error_handling() {
	expect_equal "$(events aborted lun_reset true)" "abort success" "aborted"
	expect_true "$(session_events '.event == "abort"' '.[0].duration_ns / 1e9') > 1" "aborted: duration"
	expect_equal "$(session_events '.event == "abort"' '.[0] | "\(.sid) \(.lun) \(.disk != "")"')" \
		"\"$(noted sid) 1 true\"" "aborted: whose"
	expect_equal "$(events lun_reset target_reset true)" "lun_reset success" "LUN reset"
	events target_reset login_logout true | sed 's/^/    /'
	events target_reset login_logout true | grep -qE '^target_reset (success|failed)$' || failed "no target reset"
}

check_login_logout() {
	local filter

	filter=".sid == $(noted passing_sid)"
	expect_equal "$(events login_logout end "$filter" | xargs)" "login new connection_stop TERM logout" "login and logout"
	expect_equal "$(session_events "$filter" 'map("\(.target) \(.portal)") | unique | join(",")')" \
		"\"$(noted passing_iqn) 127.0.0.1:3262\"" "login and logout: names"
}

# Both tracers see the same, in the same order; the third was told not to.
check_others() {
	local whole='map([.sid, .cid, .event, .code, .outcome, .lun])'

	expect_equal "$(use other; session_events true "$whole" | md5sum)" "$(session_events true "$whole" | md5sum)" "the other tracer's events"
	expect_equal "$(use none; session_events true length)" 0 "events with --no-session-events"
	expect_equal "$(losses | xargs)" "" "losses"
}

for run in "${lab_runs[@]}"; do
	# shellcheck disable=SC2086 # kernel and way
	set -- $run
	in_guest "$1" 600 sessions.sh "$2"
	use sessions
	[ -s "$tracer_out" ] || { failed "$run: nothing was traced"; continue; }
	grep -F "hook " "$tracer_err" | sed 's/^/    /'
	check_disrupted
	check_recovery_timeout
	check_error_handling
	check_login_logout
	check_others
	rm -f "$check_share"/*.json "$check_share"/*.notes "$check_share"/*.err
done
finish
