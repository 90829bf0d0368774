// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From the options to the BPF side's constants and map sizes. */
#include <bpf/libbpf.h>
#include "common/group.h"
#include "iscsi_bpf/command_event.h"
#include "iscsi_bpf/configure.h"
#include "iscsi_stats.skel.h"

/* Histogram keys when they are not split by LUN: this many keys of sums share one. */
#define KEYS_PER_HIST 16
#define HIST_KEYS_MIN 64
/* The ring of events: of slow commands there are fewer. Room for 67,000 and for 16,000. */
#define EVENTS_BYTES	  (16U * 1024 * 1024)
#define EVENTS_SLOW_BYTES (4U * 1024 * 1024)

uint32_t configure_slot_count(const struct options *options)
{
	uint32_t count = 1;

	while (count < options->max_inflight * SLOTS_PER_COMMAND)
		count *= 2;
	return count;
}

uint64_t configure_slower_ns(const struct options *options)
{
	if (options->events)
		return 0;
	return options->filter.slower_ns ? options->filter.slower_ns : SLOWER_NONE;
}

/* Whatever -b says, for what is grouped later: by --replay, or by a key. */
static bool at_finest_keys(const struct options *options)
{
	return options->record || options->top;
}

bool configure_hists_by_lun(const struct options *options)
{
	return at_finest_keys(options) || (options->by & (BY_LUN | BY_DISK | BY_MPATH)) ||
	       options->filter.luns.count || options->filter.disks.count;
}

static void configure_filter(struct iscsi_stats_bpf *skel, const struct filter *f)
{
	skel->rodata->cfg_ops = f->ops;
	if (f->luns.count > FILTER_LUNS_MAX)
		return;
	skel->rodata->cfg_lun_count = f->luns.count;
	for (size_t i = 0; i < f->luns.count; i++)
		skel->rodata->cfg_luns[i] = f->luns.ids[i];
}

static void configure_events(struct iscsi_stats_bpf *skel, const struct options *options)
{
	bool commands = configure_slower_ns(options) != SLOWER_NONE;

	skel->rodata->cfg_detail = commands || options->filter.stuck_ns;
	skel->rodata->cfg_slower_ns = configure_slower_ns(options);
	if (commands)
		bpf_map__set_max_entries(skel->maps.events,
					 options->events ? EVENTS_BYTES : EVENTS_SLOW_BYTES);
}

static void configure_keys(struct iscsi_stats_bpf *skel, const struct options *options)
{
	bool by_lun = configure_hists_by_lun(options);
	bool size_classes = (options->by & BY_SIZE) || at_finest_keys(options);
	uint32_t keys = options->max_keys, hist_keys = keys;

	if (!by_lun) {
		hist_keys = keys / KEYS_PER_HIST * (size_classes ? SIZE_COUNT - 1 : 1);
		if (hist_keys < HIST_KEYS_MIN)
			hist_keys = keys < HIST_KEYS_MIN ? keys : HIST_KEYS_MIN;
	}
	skel->rodata->cfg_hists_by_lun = by_lun;
	skel->rodata->cfg_size_classes = size_classes;
	bpf_map__set_max_entries(skel->maps.sums_0, keys);
	bpf_map__set_max_entries(skel->maps.sums_1, keys);
	bpf_map__set_max_entries(skel->maps.hists_0, hist_keys);
	bpf_map__set_max_entries(skel->maps.hists_1, hist_keys);
}

void configure_skeleton(struct iscsi_stats_bpf *skel, const struct options *options,
			const struct kernel_layout *layout)
{
	skel->rodata->layout = *layout;
	skel->rodata->cfg_slot_mask = configure_slot_count(options) - 1;
	bpf_map__set_max_entries(skel->maps.inflight, configure_slot_count(options));
	if (skel->rodata->cfg_claims)
		bpf_map__set_max_entries(skel->maps.claims, configure_slot_count(options));
	configure_filter(skel, &options->filter);
	configure_events(skel, options);
	configure_keys(skel, options);
}
