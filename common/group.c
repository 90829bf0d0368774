/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Grouping: members sorted so that those of one group are neighbours, then added up. */
#include <errno.h>
#include <stdlib.h>
#include "common/records.h"

uint32_t group_closure(uint32_t by)
{
	if (by & BY_DISK)
		by |= BY_SID | BY_LUN;
	if (by & BY_SID)
		by |= BY_CID | BY_TARGET | BY_INITIATOR | BY_PORTAL;
	if (by & BY_SID && by & BY_LUN)
		by |= BY_DISK | BY_MPATH;
	return by;
}

static size_t count_groups(const struct group_members *members)
{
	size_t count = 0;

	for (size_t i = 0; i < members->count; i++)
		count += !i || group_member_compare(&members->members[i - 1], &members->members[i]);
	return count;
}

static int add_members(const struct group_request *request, const struct group_members *members,
		       struct records *out)
{
	for (size_t i = 0; i < members->count; i++) {
		const struct group_member *member = &members->members[i];

		if (!i || group_member_compare(member - 1, member))
			record_init(&out->records[out->count++], request, member);
		if (record_add(&out->records[out->count - 1], member))
			return -ENOMEM;
	}
	return 0;
}

static void drop_idle(struct records *records)
{
	size_t kept = 0;

	for (size_t i = 0; i < records->count; i++) {
		if (record_idle(&records->records[i]))
			free(records->records[i].hists);
		else
			records->records[kept++] = records->records[i];
	}
	records->count = kept;
}

static int make_records(const struct group_request *request, struct group_members *members,
			struct records *out)
{
	int err;

	if (!members->count)
		return 0;
	qsort(members->members, members->count, sizeof(*members->members), group_member_compare);
	out->records = calloc(count_groups(members), sizeof(*out->records));
	if (!out->records)
		return -ENOMEM;
	err = add_members(request, members, out);
	if (err)
		return err;
	if (request->hide_idle)
		drop_idle(out);
	return 0;
}

static int pick_events(const struct group_request *request, struct records *out)
{
	const struct reading *r = request->reading;

	if (!r->event_count)
		return 0;
	out->events = calloc(r->event_count, sizeof(const struct event *));
	if (!out->events)
		return -ENOMEM;
	for (size_t i = 0; i < r->event_count; i++)
		if (!request->filter || filter_match_event(request->filter, r, &r->events[i]))
			out->events[out->event_count++] = &r->events[i];
	return 0;
}

static int collect_pinged(const struct group_request *request, struct records *out)
{
	const struct reading *r = request->reading;

	out->pinged = calloc(r->session_count + 1, sizeof(*out->pinged));
	if (!out->pinged)
		return -ENOMEM;
	for (size_t i = 0; i < r->session_count; i++) {
		const struct session_name *session = &r->sessions[i];

		if ((session->nops.count || session->nops.lost) &&
		    filter_match_session(request->filter, session))
			out->pinged[out->pinged_count++] = session;
	}
	return 0;
}

int group_reading(const struct reading *r, const struct filter *f, uint32_t by, bool hide_idle,
		  struct records *out)
{
	struct group_request request = {
		.reading = r,
		.filter = f,
		.keys = group_closure(by),
		.keys_asked = by,
		.hide_idle = hide_idle,
	};
	struct group_members members;
	int err;

	*out = (struct records){0};
	err = group_member_collect(&request, &members);
	if (!err)
		err = make_records(&request, &members, out);
	if (!err)
		err = pick_events(&request, out);
	free(members.members);
	if (!err)
		err = collect_pinged(&request, out);
	if (err)
		records_deinit(out);
	return err;
}
