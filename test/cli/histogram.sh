#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Histograms below the table, and times in UTC. The recording is that of replay.sh.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

play() {
	run "$test_binary" --replay "$test_recording" "$@"
	expect 0 "$*"
}

# Interval 2 has the read of 50 ms.
play -s 3 -b op --op read -H -z 1 2
cat >"$test_folder/wanted" <<'END'

OP read: total of 240 commands
     msecs               : count    distribution
     0.262 -> 0.328      : 113      |************************************    |
     0.328 -> 0.393      : 126      |****************************************| p50 p90 p99
     0.393 -> 41.9       : 0        |                                        |
      41.9 -> 50.3       : 1        |*                                       |
END
sed -n '/^OP read/h; /^OP read/,$p' "$test_out" | awk '/^OP read/ { n++ } n == 2' >"$test_folder/got"
tail -n +2 "$test_folder/wanted" | cmp -s - "$test_folder/got" || { failed "the histogram of interval 2"; cat "$test_folder/got"; }
[ "$(grep -c '^OP  *r/s' "$test_out")" -eq 2 ] || { failed "not a header after each histogram"; show; }

# The rows of a histogram add up to the commands, of each record and stage.
play --histogram-of target,total,data_out
[ "$(awk '/^SID [0-9].*: / { want += $(NF - 1) } / -> .* : / { got += $5; if ($5 > 0) rows++ } END { print want, got, (rows > 40) }' "$test_out")" = \
	"$((3 * 7620)) $((3 * 7620)) 1" ] || { failed "the rows do not add up"; show; }
[ "$(grep -c ': target of ' "$test_out")" -eq 15 ] || failed "not a histogram per record"
awk 'length > 100 { exit 1 }' "$test_out" || failed "a line is longer than 100 columns"
play -H --histogram-of queue -1 -s 1
expect_out ": queue of 472 commands" "-H with --histogram-of"
! grep -q ': total of' "$test_out" || failed "-H with --histogram-of: the total, too"
play -H -s 1 --op other
! grep -q distribution "$test_out" || failed "a histogram of nothing"

# Times for people are local, or UTC.
export TZ=CET-1
play -T -1
expect_out 2026-11-30T01:53:21+01:00 "-T"
play -T --utc -1
expect_out 2026-11-30T00:53:21+00:00 "-T --utc"
finish
