#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The modules' life beside the tracer's: loaded later, unloaded while traced (kprobes), kept loaded (fentry).
set -u
# shellcheck source=lab_check.bash
. "$(dirname "$0")/lab_check.bash"

in_guest 6.1 600 modules.sh
use kprobe
expect_more "$(total true .ios)" 100 "kprobe: commands"
expect_equal "$(jq -s '[.[] | select(.type == "session") | .event] | join(" ")' "$tracer_out")" \
	'"login connection_stop logout"' "kprobe: events"
grep -F 'tracing has stopped' "$tracer_err"
use fentry
expect_equal "$(jq -s '[.[] | select(.type == "session") | .event] | join(" ")' "$tracer_out")" \
	'"login connection_stop logout"' "fentry: events"
finish
