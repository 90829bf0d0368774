// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Brings the generation of sums and histograms being written to rest, and empties it. */
#include <errno.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "iscsi_bpf/drain.h"
#include "iscsi_bpf/generation.h"
#include "iscsi_bpf/wire.h"
#include "iscsi_stats.skel.h"

/* Makes the generation written so far the resting one; returns which that is. */
static int flip(struct iscsi_stats_bpf *skel, __u32 *resting)
{
	int inner;

	*resting = skel->bss->epoch & 1;
	__atomic_store_n(&skel->bss->epoch, skel->bss->epoch + 1, __ATOMIC_SEQ_CST);
	/*
	 * Replacing an inner map, even by itself, waits in the kernel until no program runs any
	 * more that may have looked it up (map-in-map updates promise that): after it nobody
	 * writes to the resting generation.
	 */
	inner = bpf_map__fd(*resting ? skel->maps.sums_1 : skel->maps.sums_0);
	return bpf_map_update_elem(bpf_map__fd(skel->maps.sums), resting, &inner, BPF_ANY);
}

static int add_sums(void *arg, const void *key, const void *value)
{
	struct reading *r = arg;
	struct reading_row *row = reading_row(r, key);

	if (!row)
		return -ENOMEM;
	if (!sums_consistent(value))
		r->loss[LOSS_TORN]++;
	sums_add(&row->sums, value);
	return 0;
}

static int add_hists(void *arg, const void *key, const void *value)
{
	const struct hists *hists = value;
	struct reading_hist *to = reading_hist(arg, key);

	if (!to)
		return -ENOMEM;
	for (int stage = 0; stage < STAGE_COUNT; stage++)
		for (int i = 0; i < LAT_HIST_BUCKETS; i++)
			to->bucket[stage][i] += hists->bucket[stage][i];
	return 0;
}

int generation_drain(struct iscsi_stats_bpf *skel, struct reading *r)
{
	struct drain sums = {.key_size = sizeof(struct sums_key),
			     .value_size = sizeof(struct sums),
			     .each = add_sums,
			     .arg = r};
	struct drain hists = {.key_size = sizeof(struct sums_key),
			      .value_size = sizeof(struct hists),
			      .each = add_hists,
			      .arg = r};
	__u32 resting;
	int err = flip(skel, &resting);

	if (err)
		return err;
	sums.map_fd = bpf_map__fd(resting ? skel->maps.sums_1 : skel->maps.sums_0);
	hists.map_fd = bpf_map__fd(resting ? skel->maps.hists_1 : skel->maps.hists_0);
	err = drain_map(&sums);
	return err ? err : drain_map(&hists);
}
