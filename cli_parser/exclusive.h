/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Options that do not go together. */
#ifndef STORPROTOTRACE_EXCLUSIVE_H
#define STORPROTOTRACE_EXCLUSIVE_H

#include "cli_parser/option_table.h"

/* `seen`: by id, which options were given. 0 or -EINVAL (said on stderr). */
int exclusive_check(const bool seen[ID_LIMIT], const struct options *o);

#endif
