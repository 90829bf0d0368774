/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --check: goes all the way to attached hooks, notes what was found, and leaves. */
#ifndef STORPROTOTRACE_CHECK_RUN_H
#define STORPROTOTRACE_CHECK_RUN_H

#include "common/check.h"
#include "common/options.h"

/*
 * Fills *out by the code that traces, not by a list of its own. 0: commands can be traced; else
 * -errno as source_open(), said on stderr.
 */
int check_run(const struct options *options, struct check *out);

#endif
