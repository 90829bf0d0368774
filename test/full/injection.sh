#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every row of test/lab/injection.sh on every kernel, by both ways of attaching.
set -eu
INJECTION=full exec bash "$(dirname "$0")/../lab/injection.sh"
