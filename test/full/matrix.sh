#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tests of single commands, of sessions and of admission on each kernel by each way of attaching.
set -u
status=0
for name in commands sessions admission; do
	STORPROTOTRACE_LAB_RUNS=all bash "$(dirname "$0")/../lab/$name.sh" || status=1
done
exit "$status"
