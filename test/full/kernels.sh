#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Counts and hooks on the kernels that not every change is tried on.
set -u
status=0
STORPROTOTRACE_LAB_KERNELS="5.10 7.3" bash "$(dirname "$0")/../lab/counts.sh" || status=1
STORPROTOTRACE_LAB_KERNELS="6.1 7.3" bash "$(dirname "$0")/../lab/hooks.sh" || status=1
exit "$status"
