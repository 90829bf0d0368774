#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Ten minutes of what test/lab/soak.sh does for two, on the newer kernel.
exec bash "$(dirname "$0")/../lab/soak.sh" 6.12 fentry 600
