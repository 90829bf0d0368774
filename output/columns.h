/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which fields are the columns of a table, and how wide: from the options, for all text printers.
 */
#ifndef STORPROTOTRACE_COLUMNS_H
#define STORPROTOTRACE_COLUMNS_H

#include "common/options.h"
#include "output/field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the default table fits. */
#define COLUMNS_WIDTH 100

/* Keys, everything that is there once, and per stage its mean and percentiles. */
#define COLUMNS_MAX (64 + STAGE_COUNT * (1 + PERCENTILES_MAX))

struct column {
	struct field field; /* a row of the field table, or one made for a percentile asked for */
	char name[32];	    /* its name then, which field.name points to */
};

/* Not to be copied: columns point into it. */
struct columns {
	struct column column[COLUMNS_MAX];
	size_t count;
};

/*
 * Keys first: those of `by`; with a session its target, with a LUN its disk; the connection only
 * where it was not asked for by default (Linux has one per session). Then the default columns, with
 * the options' percentiles for p99, and with -x the stages' means and the less common fates.
 * Or the options' columns, all known.
 */
void columns_init(struct columns *columns, uint32_t by, const struct options *options);

/* Keys (enum group_by) that say whose a row is, for what was asked for; see columns_init(). */
uint32_t columns_keys(uint32_t by);

/*
 * The column by its name, of which `name` has the first `length` bytes: a field's, or one made up
 * of a percentile, "p99.95", "target:p99". False: there is none. Not to be copied.
 */
bool column_by_name(struct column *column, const char *name, size_t length);

/*
 * What --columns chose: 0: all of it is there, 1: it is "help" and the columns were listed,
 * -EINVAL: a name is unknown (said on stderr), -ENOMEM.
 */
int columns_choose(const struct options *options, FILE *out);

/* Is it a name from elsewhere: of any length, shortened where space is scarce? */
bool column_is_name(const struct column *column);

#ifdef __cplusplus
}
#endif

#endif
