#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A wrong command line exits 2, prints nothing on stdout and names the value that is wrong on stderr.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

# usage NAMED ARG...: NAMED is what the message must contain.
usage() {
	local named=$1

	shift
	run "$test_binary" "$@"
	expect 2 "storprototrace $*"
	expect_no_out "storprototrace $*"
	expect_err "storprototrace: " "storprototrace $*"
	expect_err "$named" "storprototrace $*"
}

# The interval and the count.
usage abc abc
usage "'0'" 0
usage 1x 1x
usage -1.5 -- -1.5
usage nan nan
usage inf inf
usage 1e400 1e400
usage xyz 1 xyz
usage 2.5 1 2.5
usage 99999999999999999999 1 99999999999999999999
usage third 1 2 third
# Numbers of filters.
usage -1 -s -1
usage 99999999999 -s 99999999999
usage 99999999999 --sid 99999999999
usage 1x -c 1x
usage 0x1 -s 0x1
usage abc -l abc
usage 99999999999999999999 -l 99999999999999999999
usage "--sid" --sid ''
# Words out of a list.
usage xml -f xml
usage foo --by foo
usage foo -b sid,foo
usage erase --op erase
usage uprobe --attach uprobe
# Percentiles.
usage 101 -p 101
usage "'0'" -p 0
usage p99 -p 50,p99
# Columns, whose names depend on the format.
usage foo --columns SID,foo
usage foo --columns foo -f csv
usage sid --columns sid
usage "'SID'" --columns SID -f csv
usage "''" --columns SID,
usage "''" --columns ,SID
usage "columns" --columns ''
usage p100.1 --columns p100.1
usage p0 --columns p0
usage target_p95_ns --columns target_p95_ns -f csv
usage lun --columns lun -f csv
usage only --columns SID -f prometheus
usage --json --columns SID -j
usage --extended --columns SID -x
usage erase --histogram-of target,erase
usage --histogram-of --histogram-of
usage --histogram -H -j
usage --histogram-of -f csv --histogram-of target
# Milliseconds of single commands.
usage abc --slower abc
usage "'0'" --slower 0
usage -1 --stuck -1
usage "'0'" --stuck 0
usage slower -e --slower 5
# Options that do not exist, lack their value or are shortened.
usage --bogus --bogus
usage --targ --targ iqn.a
usage -s -s
usage target -target
usage replay --replay
# The old names, one dash, as strict as the new ones.
usage abc -sid abc
usage 99999999999 -lun 99999999999999999999
# Files that cannot be both.
usage replay --replay a --record a
finish
