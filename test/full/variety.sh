#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Whatever the sessions negotiated and the commands are, each is counted exactly, with its bytes and R2Ts: unsolicited
# data, digests, several R2Ts at once, several LUNs, large LUNs, commands that neither read nor write, unknown ones.
set -u
# shellcheck source=../lab/lab_check.bash
. "$(dirname "$0")/../lab/lab_check.bash"

# exact CASE: commands, bytes, PDUs and R2Ts are those of the witnesses, nothing is lost.
exact() {
	local op

	use "$1"
	[ -s "$tracer_out" ] || { failed "$1 was not run"; return 1; }
	echo "$1: reads $(noted reads), writes $(noted writes), PDUs $(noted scsicmd_pdus), R2Ts $(noted r2t_pdus)," \
		"Data-Outs $(noted dataout_pdus); other commands $(total '.op == "other"' .ios)"
	for op in read write; do
		expect_equal "$(total ".op == \"$op\"" .ios)" "$(noted "${op}s")" "$1: ${op}s"
		expect_equal "$(total ".op == \"$op\"" .bytes)" "$(noted "${op}_bytes")" "$1: bytes of ${op}s"
	done
	expect_equal "$(total true .pdus)" "$(noted scsicmd_pdus)" "$1: PDUs"
	expect_equal "$(total true .r2ts)" "$(noted r2t_pdus)" "$1: R2Ts"
	expect_equal "$(losses | tr '\n' ' ')" "" "$1: losses"
	expect_sound
}

# r2ts NUMBER, stage_used STAGE, errors NUMBER: of the case in use.
r2ts() {
	expect_equal "$(total '.op == "write"' .r2ts)" "$1" "$tracer_out: R2Ts of writes"
}

stage_used() {
	expect_more "$(total '.op == "write"' ".stages.$1.sum_ns")" 0 "$tracer_out: $1 of writes"
}

# opcodes OPCODE=NUMBER...: which SCSI commands the load was.
opcodes() {
	local item

	for item in "$@"; do
		expect_equal "$(noted "opcode_${item%=*}")" "${item#*=}" "$tracer_out: commands of opcode ${item%=*}"
	done
}

in_guest 6.1 600 variety.sh unsolicited digests outstanding two_luns beyond unknown receive_queue
# 64 KiB go out with the command and unasked; of 256 KiB the rest is asked for, in one burst.
exact unsolicited && r2ts 0
exact unsolicited-more && r2ts 41 && stage_used r2t && stage_used data_out
exact digests
exact outstanding && r2ts $((41 * 16)) && stage_used r2t && stage_used data_out
exact two_luns
expect_equal "$(total '.lun == 0' .ios) $(total '.lun == 1' .ios)" "1009 503" "two_luns: commands of each LUN"
exact beyond && opcodes 88=101 8a=101
exact unknown && opcodes d5=5
expect_equal "$(total '.op == "other"' .ios) $(total '.op == "other"' .status_errors)" "5 5" "unknown: commands and errors"
exact receive_queue
finish
