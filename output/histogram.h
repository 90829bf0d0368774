/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Histograms drawn for people, below the table; for output/ only. */
#ifndef STORPROTOTRACE_HISTOGRAM_H
#define STORPROTOTRACE_HISTOGRAM_H

#include <stdio.h>
#include "common/options.h"
#include "output/field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which are drawn and what is marked in them; from the options. */
struct histogram {
	uint32_t stages; /* bit per enum iscsi_stage; 0: none */
	double percentiles[PERCENTILES_MAX];
	uint32_t percentile_count;
};

/* -p's percentiles are marked, or 50, 90 and 99. */
void histogram_init(struct histogram *histogram, const struct options *options);

/*
 * Draws the record's, each below a line that says whose it is; none where no command ended. Four
 * rows per power of two, from the first to the last that has commands; empty neighbours are one.
 * Names are made safe in this thread's locale. 1: something was drawn; 0; or -errno.
 */
int histogram_write(const struct histogram *histogram, const struct iscsi_stats *stats, FILE *out);

/* Room for all keys, names being shortened. */
#define HISTOGRAM_WHOSE_SIZE (BY_SIZE * 8 + FIELD_TEXT_SIZE)

/* "SID 1 TARGET iqn.x": what the grouping asked for, as narrow as in the table. */
void histogram_whose(const struct iscsi_stats *stats, char line[HISTOGRAM_WHOSE_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
