#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Without privilege a live trace exits 3 and says what is missing; a recording is played without any.
set -u
# shellcheck source=check.bash
. "$(dirname "$0")/check.bash"

# The build folder need not be readable for nobody.
chmod 755 "$test_folder"
install -m 755 "$test_binary" "$test_folder/storprototrace"
install -m 644 "$test_recording" "$test_folder/recording"
unprivileged=()
if [ "$(id -u)" -eq 0 ]; then
	unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
	"${unprivileged[@]}" test -r "$test_folder/recording" || skip "nobody cannot read below ${TMPDIR:-/tmp}"
fi

run "${unprivileged[@]}" "$test_folder/storprototrace" 1 1
expect 3 "nobody"
expect_no_out "nobody"
expect_err "storprototrace: " "nobody"
expect_err "hint: " "nobody"
# Privilege is looked at before the kernel, the command line before privilege.
run "${unprivileged[@]}" "$test_folder/storprototrace" --strict -1
expect 3 "nobody with --strict -1"
run "${unprivileged[@]}" "$test_folder/storprototrace" abc
expect 2 "nobody with a wrong interval"
run "${unprivileged[@]}" "$test_folder/storprototrace" --replay "$test_folder/recording"
expect 0 "nobody plays a recording"
finish
