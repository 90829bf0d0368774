#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Whatever the sessions negotiated and the commands are, each is counted exactly, with its bytes and R2Ts: unsolicited
# data, digests, several R2Ts at once, several LUNs, large LUNs, commands that neither read nor write, unknown ones, another
# kind of target. `variety.sh CASE...` does only these.
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

# octets: what went over the wire by the initiator's own count is 48 bytes for each PDU it counted, what we say was read and
# written, and the pings of the target, which come every 15 s or so and are answered; of the case in use, where nothing else
# carries data and there are no digests. A read's status comes with its last data: it has no PDU of its own.
octets() {
	local sent received

	sent=$(($(noted txdata_octets) - $(total '.op == "write"' .bytes) - 48 * ($(noted scsicmd_pdus) + $(noted dataout_pdus))))
	received=$(($(noted rxdata_octets) - $(total '.op == "read"' .bytes) -
		48 * ($(noted scsirsp_pdus) - $(noted reads) + $(noted datain_pdus) + $(noted r2t_pdus))))
	echo "    octets that commands do not explain: $sent sent, $received received"
	expect_equal "$sent" "$received" "$tracer_out: octets of pings and of their answers"
	expect_true "$sent >= 0 and $sent % 48 == 0 and $sent / 48 <= $(noted seconds) / 10 + 1" "$tracer_out: octets of pings"
}

# r2ts NUMBER, stage_used STAGE: of the case in use.
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

# data_outs NUMBER: PDUs of data, asked for or not, of the case in use.
data_outs() {
	expect_equal "$(noted dataout_pdus)" "$1" "$tracer_out: Data-Out PDUs"
}

# Of 64 KiB 8 go out with the command, 56 unasked in PDUs of 8 KiB; of 256 KiB the other 192 are asked for, in one burst.
check_unsolicited() {
	exact unsolicited && octets && r2ts 0 && data_outs $((101 * 7))
	exact unsolicited-more && octets && r2ts 41 && data_outs $((41 * (7 + 24))) && stage_used r2t && stage_used data_out
}

check_digests() {
	exact digests
}

check_outstanding() {
	exact outstanding && octets && r2ts $((41 * 16)) && stage_used r2t && stage_used data_out
}

check_two_luns() {
	exact two_luns && octets
	expect_equal "$(total '.lun == 0' .ios) $(total '.lun == 1' .ios)" "1009 503" "two_luns: commands of each LUN"
}

check_beyond() {
	exact beyond && octets && opcodes 88=101 8a=101
}

check_unknown() {
	exact unknown && opcodes d5=5
	expect_equal "$(total '.op == "other"' .ios) $(total '.op == "other"' .status_errors)" "5 5" "unknown: commands and errors"
}

check_provisioning() {
	exact provisioning && opcodes 42=7 93=5
	expect_equal "$(total '.op == "other"' .good) $(total '.op == "other"' .bytes)" "12 $((7 * 24 + 5 * 512))" \
		"provisioning: UNMAP and WRITE SAME, bytes sent for them"
}

check_receive_queue() {
	exact receive_queue && octets
}

check_other_target() {
	exact other_target && octets
}

cases=${*:-unsolicited digests outstanding two_luns beyond unknown provisioning receive_queue other_target}
if ! command -v tgtd >/dev/null; then
	echo "tgtd is missing: no other kind of target is tried"
	cases=${cases/other_target/}
fi
# shellcheck disable=SC2086 # one argument each
in_guest 6.1 900 variety.sh $cases
for case in $cases; do
	"check_$case"
done
finish
