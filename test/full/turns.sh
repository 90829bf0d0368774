#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Turns of sessions' lives at the edges: those that do not fit into the ring are counted, and of a session that was blocked
# before the tracer came only what is known is said.
set -u
# shellcheck source=../lab/lab_check.bash
. "$(dirname "$0")/../lab/lab_check.bash"
# The ring has 64 KiB, a turn takes 64 bytes.
resets=1500

# told FILTER EXPRESSION: over the events of sessions.
told() {
	jq -sc "[.[] | select(.type == \"session\") | select($1)] | $2" "$tracer_out"
}

in_guest 6.1 600 turns.sh "$resets"
use ring
echo "ring: $(told true length) turns, losses: $(losses | tr '\n' ' ')"
expect_more "$(loss event_full)" 0 "ring: event_full"
expect_equal "$(losses | cut -d= -f1 | xargs)" event_full "ring: losses"
expect_equal $(($(told '.event == "lun_reset"' length) + $(loss event_full))) $((resets + 1)) "ring: resets told + lost"
expect_equal "$(told true '[(map(.outcome) | unique), (map(.event) | unique)]')" '[["success"],["lun_reset"]]' "ring: turns"
grep -qF event_full "$tracer_err" || failed "ring: no warning"

use blocked
echo "blocked: $(told true 'map(.event) | join(" ")'), $(total true .ios) commands"
expect_equal "$(told true 'map(.event)')" '["login","unblocked"]' "blocked: turns"
expect_equal "$(told '.event == "login"' 'map(.code_name)')" '["again"]' "blocked: login"
expect_equal "$(told '.event == "unblocked"' 'map(.duration_ns)')" '[null]' "blocked: for how long is not known"
expect_more "$(total true .ios)" 0 "blocked: commands"
expect_equal "$(total true .errors)" 0 "blocked: errors"
# Its commands were given back before the tracer came, and begin anew.
expect_equal "$(losses | xargs)" "" "blocked: losses"
expect_sound
finish
