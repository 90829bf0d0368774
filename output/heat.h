/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Latency as rows and counts as shades: what a heatmap is made of, wherever it is drawn. */
#ifndef STORPROTOTRACE_HEAT_H
#define STORPROTOTRACE_HEAT_H

#include <stdint.h>
#include "common/lat_hist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What heat_rows_fit() can always do with. */
#define HEAT_ROWS_MIN 3

/* The rows of a heatmap, from the shortest latency on; neighbouring buckets are one. */
struct heat_rows {
	uint32_t first; /* number of the lowest row, counted from that of bucket 0 */
	uint32_t step;	/* buckets per row: 2 (a quarter of an octave) to 128 */
	uint32_t count; /* rows; 0: there are no commands */
};

/* Rows for all buckets that have commands, as fine as `limit` (HEAT_ROWS_MIN or more) allows. */
void heat_rows_fit(struct heat_rows *rows, const uint64_t bucket[LAT_HIST_BUCKETS], uint32_t limit);

/* Row 0 .. count - 1 of a bucket that had commands. */
uint32_t heat_row_of(const struct heat_rows *rows, uint32_t bucket);

/* The shortest latency of a row; for `count`: where the highest ends (the last bucket never does).
 */
uint64_t heat_row_low_ns(const struct heat_rows *rows, uint32_t row);

/*
 * A shade 1 .. levels, logarithmic up to `most`, so that a single slow command is seen beside
 * thousands of quick ones. 0: no command.
 */
uint32_t heat_level(uint64_t count, uint64_t most, uint32_t levels);

/* The smallest count of a shade; 0: no count up to `most` has it. */
uint64_t heat_level_low(uint32_t level, uint64_t most, uint32_t levels);

#ifdef __cplusplus
}
#endif

#endif
