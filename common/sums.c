/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sums of one key: adding them up and checking that they agree with themselves. */
#include "common/reading.h"

static void add_counters(struct sums *dst, const struct sums *src)
{
	dst->ios += src->ios;
	dst->pdus += src->pdus;
	dst->bytes += src->bytes;
	dst->good += src->good;
	dst->status_errors += src->status_errors;
	dst->host_errors += src->host_errors;
	dst->refused += src->refused;
	dst->refused_window += src->refused_window;
	dst->refused_no_task += src->refused_no_task;
	dst->no_task += src->no_task;
	dst->retries += src->retries;
	dst->aborted += src->aborted;
	dst->disrupted += src->disrupted;
	dst->r2ts += src->r2ts;
	dst->no_block += src->no_block;
}

void sums_add(struct sums *dst, const struct sums *src)
{
	add_counters(dst, src);
	for (int i = 0; i < STAGE_COUNT; i++) {
		dst->stage[i].sum_ns += src->stage[i].sum_ns;
		if (dst->stage[i].max_ns < src->stage[i].max_ns)
			dst->stage[i].max_ns = src->stage[i].max_ns;
	}
	for (int i = 0; i < PHASE_COUNT; i++) {
		if (dst->phase_max_ns[i] < src->phase_max_ns[i])
			dst->phase_max_ns[i] = src->phase_max_ns[i];
	}
}

bool sums_consistent(const struct sums *s)
{
	uint64_t parts_ns = 0;

	for (int i = 0; i < STAGE_TOTAL; i++)
		parts_ns += s->stage[i].sum_ns;
	return s->ios == s->good + s->status_errors + s->host_errors &&
	       parts_ns == s->stage[STAGE_TOTAL].sum_ns;
}

const char *loss_name(enum iscsi_loss loss)
{
	static const char *const names[LOSS_COUNT] = {
		[LOSS_MAP_FULL] = "map_full",	[LOSS_KEYS_FULL] = "keys_full",
		[LOSS_RING_FULL] = "ring_full", [LOSS_NO_START] = "no_start",
		[LOSS_STALE] = "stale",		[LOSS_MISSING_STAMP] = "missing_stamp",
		[LOSS_CLAMPED] = "clamped",	[LOSS_MISMATCH] = "mismatch",
		[LOSS_TORN] = "torn",		[LOSS_PROBE_MISSES] = "probe_misses",
		[LOSS_EVENT_FULL] = "event_full",
	};

	return (unsigned int)loss < LOSS_COUNT ? names[loss] : NULL;
}
