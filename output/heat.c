/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Latency as rows and counts as shades. */
#include "output/heat.h"

#include <math.h>

#define STEP_MIN 2
#define STEP_MAX 128

/* Numbered from the shortest: bucket 0 is one by itself, octaves begin rows. */
static uint32_t absolute_row(uint32_t bucket, uint32_t step)
{
	return bucket == 0 ? 0 : 1 + (bucket - 1) / step;
}

void heat_rows_fit(struct heat_rows *rows, const uint64_t bucket[LAT_HIST_BUCKETS], uint32_t limit)
{
	uint32_t lowest = 0, highest = LAT_HIST_BUCKETS;

	*rows = (struct heat_rows){.step = STEP_MIN};
	while (lowest < LAT_HIST_BUCKETS && !bucket[lowest])
		lowest++;
	if (lowest == LAT_HIST_BUCKETS)
		return;
	while (!bucket[highest - 1])
		highest--;
	for (;; rows->step *= 2) {
		rows->first = absolute_row(lowest, rows->step);
		rows->count = absolute_row(highest - 1, rows->step) - rows->first + 1;
		if (rows->count <= limit || rows->step == STEP_MAX)
			return;
	}
}

uint32_t heat_row_of(const struct heat_rows *rows, uint32_t bucket)
{
	return absolute_row(bucket, rows->step) - rows->first;
}

uint64_t heat_row_low_ns(const struct heat_rows *rows, uint32_t row)
{
	uint32_t absolute = rows->first + row, bucket;

	if (absolute == 0)
		return 0;
	bucket = 1 + (absolute - 1) * rows->step;
	return lat_hist_low_ns(bucket < LAT_HIST_BUCKETS ? bucket : LAT_HIST_BUCKETS);
}

uint32_t heat_level(uint64_t count, uint64_t most, uint32_t levels)
{
	if (count == 0)
		return 0;
	if (count >= most)
		return levels;
	return 1 + (uint32_t)((levels - 1) * log((double)count) / log((double)most));
}

uint64_t heat_level_low(uint32_t level, uint64_t most, uint32_t levels)
{
	uint64_t low = (uint64_t)pow((double)most, (level - 1.0) / (levels - 1));

	/* Roundings of logarithm and power need not agree. */
	while (low > 1 && heat_level(low - 1, most, levels) >= level)
		low--;
	while (low <= most && heat_level(low, most, levels) < level)
		low++;
	return low <= most && heat_level(low, most, levels) == level ? low : 0;
}
