/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints what --check found. */
#ifndef STORPROTOTRACE_CHECK_PRINT_H
#define STORPROTOTRACE_CHECK_PRINT_H

#include <stdio.h>
#include "common/check.h"
#include "common/options.h"

/* As a table, or one JSON object per row. 0 or -errno, said on stderr. */
int check_print(FILE *out, const struct check *check, enum output_format format);

#endif
