/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Filling records; private to common/. */
#ifndef STORPROTOTRACE_RECORDS_H
#define STORPROTOTRACE_RECORDS_H

#include "common/group_member.h"

/* Makes it the empty record of the member's group. */
void record_init(struct iscsi_stats *record, const struct group_request *request,
		 const struct group_member *member);

/* Adds the member's counters or histogram. 0 or -ENOMEM. */
int record_add(struct iscsi_stats *record, const struct group_member *member);

/* Nothing happened in it and nothing is in flight. */
bool record_idle(const struct iscsi_stats *record);

#endif
