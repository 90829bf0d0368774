#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Many sessions, many LUNs, and more sessions one after another than the tracer has room for: each read is counted, under
# its session and LUN, and nothing is lost. `scale.sh SESSIONS LUNS READS` or `scale.sh LOGINS READS` does one of them.
set -u
# shellcheck source=../lab/lab_check.bash
. "$(dirname "$0")/../lab/lab_check.bash"

# check NAME DISKS READS: as many disks, each with as many reads of fio; all by the disks' own counts.
check() {
	local seen wanted

	use "$1"
	[ -s "$tracer_out" ] || { failed "$1 was not run"; return; }
	seen=$(records '.op == "read" and .ios > 0' 'group_by([.sid, .lun])[] | "\(.[0].sid).\(.[0].lun) \(map(.ios) | add)"' |
		tr -d '"' | sort)
	wanted=$(awk '{ split($1, name, "."); key = name[2] "." name[3] }
		name[1] == "before" { count[key] -= $2 } name[1] == "after" { count[key] += $2 }
		END { for (key in count) print key, count[key] }' "${tracer_out%.json}.notes" | sort)
	echo "$1: $(wc -l <<<"$wanted") disks, $(total '.op == "read"' .ios) reads," \
		"$(noted fio_reads | awk '{ sum += $1 } END { print sum }') of them fio's; losses: $(losses | tr '\n' ' ')"
	expect_equal "$(wc -l <<<"$wanted")" "$2" "$1: disks"
	expect_equal "$(noted fio_reads | awk '{ sum += $1 } END { print sum }')" $(($2 * $3)) "$1: reads by fio"
	[ "$seen" = "$wanted" ] || { failed "$1: reads of each disk"; diff <(echo "$wanted") <(echo "$seen") | head -20; }
	expect_equal "$(losses | tr '\n' ' ')" "" "$1: losses"
	expect_sound
	rm -f "$check_share/$1".*
}

# scale SESSIONS LUNS READS, churn LOGINS READS
scale() {
	in_guest 6.1 900 scale.sh scale "$@"
	check scale $(($1 * $2)) "$3"
}

churn() {
	in_guest 6.1 900 scale.sh churn "$@"
	check churn "$@"
}

case $# in
3) scale "$@" ;;
2) churn "$@" ;;
*)
	scale 64 1 17
	scale 1 256 17
	scale 8 32 33
	churn 17 33
	;;
esac
finish
