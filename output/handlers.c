/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ready-made handlers for iscsi_stats_ebpf_loop(): print the records that match. */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include "common/common.h"
#include "common/options.h"
#include "output/print_stats.h"

static int print_when(bool matches, struct iscsi_stats *stats)
{
	if (!matches)
		return 1;
	print_stats(stats);
	return print_stats_error();
}

/* Equality first: a name may hold characters that mean something in a pattern. */
static bool name_matches(const char *pattern, const char *name)
{
	return pattern && (strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0);
}

int filter_targetname_print_stats(struct iscsi_stats *stats, const char *target_name)
{
	return print_when(stats && name_matches(target_name, stats->target_name), stats);
}

int filter_initiatorname_print_stats(struct iscsi_stats *stats, const char *initiator_name)
{
	return print_when(stats && name_matches(initiator_name, stats->initiator_name), stats);
}

int filter_cid_print_stats(struct iscsi_stats *stats, unsigned int cid)
{
	return print_when(stats && stats->cid == cid, stats);
}

int filter_sid_print_stats(struct iscsi_stats *stats, unsigned int sid)
{
	return print_when(stats && stats->sid == sid, stats);
}

/* "8:0" and "dm-0" name a disk that a record knows by another name. */
static bool is_device_number(const char *name)
{
	return isdigit((unsigned char)name[0]) || strncmp(name, "dm-", 3) == 0;
}

static bool disk_matches(const struct name_list *disks, const struct iscsi_stats *stats)
{
	for (size_t i = 0; i < disks->count; i++) {
		const char *name = disks->names[i];

		if (is_device_number(name) || strcmp(name, stats->disk) == 0 ||
		    strcmp(name, stats->mpath) == 0)
			return true;
	}
	return disks->count == 0;
}

/* What the grouping leaves open was filtered before it was grouped. */
static bool matches_options(const struct iscsi_stats *stats, const struct filter *filter)
{
	uint32_t keys = stats->keys;

	if (keys & BY_TARGET && !name_list_match(&filter->targets, stats->target_name))
		return false;
	if (keys & BY_INITIATOR && !name_list_match(&filter->initiators, stats->initiator_name))
		return false;
	if (keys & BY_SID && !id_list_match(&filter->sids, stats->sid))
		return false;
	if (keys & BY_CID && !id_list_match(&filter->cids, stats->cid))
		return false;
	if (keys & BY_LUN && !id_list_match(&filter->luns, stats->lun))
		return false;
	if (keys & BY_DISK && !disk_matches(&filter->disks, stats))
		return false;
	return !(keys & BY_OP) || filter->ops == 0 || filter->ops & (1U << stats->op);
}

int filter_apply(struct iscsi_stats *stats)
{
	return print_when(stats && matches_options(stats, &options_process()->filter), stats);
}
