/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a record says: names of its parts, shares of its time, percentiles. */
#include <errno.h>
#include "common/common.h"

uint64_t iscsi_oldest_ns(const struct iscsi_stats *stats)
{
	uint64_t oldest_ns = 0, count = 0;

	for (int i = 0; i < STAGE_TOTAL; i++) {
		const struct inflight_stage *stage = &stats->inflight_stages[i];

		count += stage->count;
		if (oldest_ns < stage->oldest_ns)
			oldest_ns = stage->oldest_ns;
	}
	return count == stats->inflight ? oldest_ns : UINT64_MAX;
}

const char *iscsi_stage_name(uint32_t stage)
{
	static const char *const names[STAGE_COUNT] = {
		[STAGE_BLOCK] = "block",   [STAGE_BUSY] = "busy",
		[STAGE_QUEUE] = "queue",   [STAGE_SEND] = "send",
		[STAGE_R2T] = "r2t",	   [STAGE_DATA_OUT] = "data_out",
		[STAGE_TARGET] = "target", [STAGE_DATA_IN] = "data_in",
		[STAGE_DONE] = "done",	   [STAGE_TOTAL] = "total",
	};

	return stage < STAGE_COUNT ? names[stage] : NULL;
}

const char *iscsi_op_name(uint32_t op)
{
	static const char *const names[OP_COUNT + 1] = {
		[OP_READ] = "read",
		[OP_WRITE] = "write",
		[OP_OTHER] = "other",
		[OP_COUNT] = "all",
	};

	return op <= OP_COUNT ? names[op] : NULL;
}

const char *iscsi_size_class_name(uint32_t size_class)
{
	static const char *const names[SIZE_COUNT] = {
		[SIZE_ALL] = "all",   [SIZE_4K] = "<=4K",     [SIZE_16K] = "<=16K",
		[SIZE_64K] = "<=64K", [SIZE_256K] = "<=256K", [SIZE_1M] = "<=1M",
		[SIZE_MORE] = ">1M",
	};

	return size_class < SIZE_COUNT ? names[size_class] : NULL;
}

uint64_t iscsi_host_ns(const struct iscsi_stats *stats)
{
	return stats->stages[STAGE_BLOCK].sum_ns + stats->stages[STAGE_QUEUE].sum_ns +
	       stats->stages[STAGE_SEND].sum_ns + stats->stages[STAGE_DATA_OUT].sum_ns +
	       stats->stages[STAGE_DONE].sum_ns;
}

uint64_t iscsi_target_net_ns(const struct iscsi_stats *stats)
{
	return stats->stages[STAGE_BUSY].sum_ns + stats->stages[STAGE_R2T].sum_ns +
	       stats->stages[STAGE_TARGET].sum_ns + stats->stages[STAGE_DATA_IN].sum_ns;
}

uint32_t iscsi_worst_stage(const struct iscsi_stats *stats)
{
	uint32_t worst = STAGE_COUNT;
	uint64_t worst_ns = 0;

	for (uint32_t i = 0; i < STAGE_TOTAL; i++) {
		if (stats->stages[i].sum_ns > worst_ns) {
			worst = i;
			worst_ns = stats->stages[i].sum_ns;
		}
	}
	return stats->count ? worst : STAGE_COUNT;
}

/* Which command, counted from the fastest, has the percentile: 1 .. count. */
static uint64_t percentile_rank(double percent, uint64_t count)
{
	/* A hair less, or 0.07 % of 10000 would be 7.000000000000001 and become the eighth. */
	double exact = percent * (double)count / 100 * (1 - 1e-12);
	uint64_t rank = (uint64_t)exact;

	if ((double)rank < exact)
		rank++;
	if (rank < 1)
		rank = 1;
	return rank < count ? rank : count;
}

/* The middle of a bucket; of the last, which has no upper end, the maximum. */
static uint64_t bucket_value_ns(uint32_t bucket, uint64_t max_ns)
{
	uint64_t low_ns = lat_hist_low_ns(bucket);
	uint64_t middle_ns;

	if (bucket == LAT_HIST_BUCKETS - 1)
		return max_ns;
	middle_ns = low_ns + (lat_hist_low_ns(bucket + 1) - low_ns) / 2;
	return middle_ns < max_ns ? middle_ns : max_ns;
}

int iscsi_percentile(const struct iscsi_stats *stats, uint32_t stage, double percent,
		     uint64_t *out_ns)
{
	uint64_t count = 0, seen = 0, rank;
	const uint64_t *buckets;
	uint32_t bucket = 0;

	if (!stats->hists || stage >= STAGE_COUNT || !stats->stages[stage].known ||
	    !(percent > 0 && percent <= 100))
		return -ENODATA;
	buckets = stats->hists->bucket[stage];
	for (uint32_t i = 0; i < LAT_HIST_BUCKETS; i++)
		count += buckets[i];
	if (!count)
		return -ENODATA;
	rank = percentile_rank(percent, count);
	for (seen = buckets[0]; seen < rank; seen += buckets[bucket])
		bucket++;
	*out_ns = bucket_value_ns(bucket, stats->stages[stage].max_ns);
	return 0;
}
