/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a reading to the records the user asked for: filtered, grouped, named. */
#ifndef STORPROTOTRACE_GROUP_H
#define STORPROTOTRACE_GROUP_H

#include "common/common.h"
#include "common/filter.h"
#include "common/reading.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a group is made of (`-b`): a set of these. */
enum group_by {
	BY_INITIATOR = 1 << 0,
	BY_TARGET = 1 << 1,
	BY_PORTAL = 1 << 2,
	BY_SID = 1 << 3,
	BY_CID = 1 << 4,
	BY_LUN = 1 << 5,
	BY_DISK = 1 << 6,
	BY_MPATH = 1 << 7,
	BY_OP = 1 << 8,
	BY_SIZE = 1 << 9,
};

#define BY_DEFAULT (BY_SID | BY_CID)

/*
 * What a grouping determines besides its own members: a session determines its connection, target,
 * initiator and portal; session and LUN, or a disk, determine each other and the multipath map.
 */
uint32_t group_closure(uint32_t by);

/* Records of one interval; owns the arrays and the histograms of the records. */
struct records {
	struct iscsi_stats *records;
	size_t count;
	/* events of the reading that match the filter, in its order */
	const struct event **events;
	size_t event_count;
	/* sessions of the reading that match the filter and had NOP-Outs answered or lost */
	const struct session_name **pinged;
	size_t pinged_count;
};

/*
 * Filters the reading's rows, groups them by `by` and names them. Sessions and LUNs without
 * commands give records with zeros (unless hide_idle; a record with commands in flight is not
 * idle). Sorted by initiator, target, sid, cid, lun, op, size as far as the grouping determines
 * them. 0 or -ENOMEM. Release with records_deinit().
 */
int group_reading(const struct reading *r, const struct filter *f, uint32_t by, bool hide_idle,
		  struct records *out);

/* Frees the records and leaves it empty. NULL is fine. */
void records_deinit(struct records *records);

/*
 * One record that adds up all of them (for the last table row): ids all ones, names empty, keys 0.
 * Its histograms are owned by the caller (free(record->hists)). 0 or -ENOMEM.
 */
int records_total(const struct records *records, struct iscsi_stats *out);

#ifdef __cplusplus
}
#endif

#endif
