#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Counts on the kernels that not every change is tried on.
set -eu
STORPROTOTRACE_LAB_KERNELS="5.10 7.3" exec bash "$(dirname "$0")/../lab/counts.sh"
