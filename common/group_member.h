/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is grouped: a row, a histogram or an idle session or LUN; private to common/. */
#ifndef STORPROTOTRACE_GROUP_MEMBER_H
#define STORPROTOTRACE_GROUP_MEMBER_H

#include "common/group.h"

/* What is to be grouped and how. */
struct group_request {
	const struct reading *reading;
	const struct filter *filter;
	uint32_t keys;	     /* set of enum group_by: closure of `keys_asked` */
	uint32_t keys_asked; /* set of enum group_by */
	bool hide_idle;
};

/*
 * One thing that belongs to a group: what the grouping determines of it (the rest is blanked: ids
 * all ones, names empty) and its counters or its histogram; neither: an idle session or LUN.
 * Names point into the reading.
 */
struct group_member {
	const char *initiator;
	const char *target;
	const char *portal;
	const char *disk;
	const char *mpath;
	uint64_t lun;
	uint32_t sid;
	uint32_t cid;
	uint32_t op;
	uint32_t size_class;
	const struct reading_row *row;
	const struct reading_hist *hist;
};

struct group_members {
	struct group_member *members;
	size_t count;
	size_t capacity;
};

/* Everything of the reading that matches the filter. 0 or -ENOMEM (free members then too). */
int group_member_collect(const struct group_request *request, struct group_members *out);

/* Order of the records (qsort); 0: the same group. */
int group_member_compare(const void *a, const void *b);

#endif
