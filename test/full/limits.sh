#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What hosts can lack, and the size of the programs, on the kernels that not every change is tried on. Leaves the rows of the
# table in doc/kernels.md in the build folder, kernel-table.md.
STORPROTOTRACE_LAB_KERNELS="5.10 6.1 6.12 7.3" exec bash "$(dirname "$0")/../lab/limits.sh"
