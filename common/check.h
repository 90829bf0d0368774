/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What --check found: one row per thing this host has or lacks. */
#ifndef STORPROTOTRACE_CHECK_H
#define STORPROTOTRACE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#define CHECK_ROWS_MAX 64

struct check_row {
	const char *group; /* "host", "kernel", "hook": static storage, as all strings but `how` */
	const char *name;
	bool available;
	char how[120];	  /* in which way, or why not */
	const char *lost; /* without it; NULL: nothing that is not said elsewhere */
	const char *todo; /* what the user can do; NULL: nothing */
};

struct check {
	struct check_row rows[CHECK_ROWS_MAX];
	size_t count;
};

#endif
