/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collecting what is grouped: filtered, named, blanked to what the grouping determines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/group_member.h"

#define BY_ANY_LUN (BY_LUN | BY_DISK | BY_MPATH)

/* Can the group or the filter be told without knowing the LUN? */
static bool without_lun(const struct group_request *request)
{
	const struct filter *f = request->filter;

	return !(request->keys & BY_ANY_LUN) && (!f || (!f->luns.count && !f->disks.count));
}

static struct group_member *member_add(struct group_members *members)
{
	size_t capacity = members->capacity ? 2 * members->capacity : 64;
	struct group_member *grown;

	if (members->count == members->capacity) {
		grown = realloc(members->members, capacity * sizeof(*grown));
		if (!grown)
			return NULL;
		members->members = grown;
		members->capacity = capacity;
	}
	return &members->members[members->count++];
}

static void name_by_session(struct group_member *member, uint32_t keys,
			    const struct session_name *session)
{
	if (keys & BY_INITIATOR)
		member->initiator = session->initiator;
	if (keys & BY_TARGET)
		member->target = session->target;
	if (keys & BY_PORTAL)
		member->portal = session->portal;
}

static void name_by_lun(struct group_member *member, uint32_t keys, const struct lun_name *lun)
{
	if (keys & BY_DISK)
		member->disk = lun->disk;
	if (keys & BY_MPATH)
		member->mpath = lun->mpath;
}

static void member_init(struct group_member *member, const struct group_request *request,
			const struct sums_key *key)
{
	uint32_t keys = request->keys;
	const struct session_name *session = NULL;
	const struct lun_name *lun = NULL;

	*member = (struct group_member){
		.initiator = "",
		.target = "",
		.portal = "",
		.disk = "",
		.mpath = "",
		.lun = keys & BY_LUN ? key->lun : ISCSI_LUN_ANY,
		.sid = keys & BY_SID ? key->sid : ISCSI_SID_ANY,
		.cid = keys & BY_CID ? key->cid : ISCSI_CID_ANY,
		.op = keys & BY_OP ? key->op : OP_COUNT,
		.size_class = keys & BY_SIZE ? key->size_class : SIZE_ALL,
	};
	if (keys & (BY_INITIATOR | BY_TARGET | BY_PORTAL))
		session = reading_find_session(request->reading, key->sid);
	if (keys & (BY_DISK | BY_MPATH))
		lun = reading_find_lun(request->reading, key->sid, key->lun);
	if (session)
		name_by_session(member, keys, session);
	if (lun)
		name_by_lun(member, keys, lun);
}

static int collect_rows(const struct group_request *request, struct group_members *out)
{
	const struct reading *r = request->reading;

	for (size_t i = 0; i < r->row_count; i++) {
		struct group_member *member;

		if (!filter_match(request->filter, r, &r->rows[i].key))
			continue;
		member = member_add(out);
		if (!member)
			return -ENOMEM;
		member_init(member, request, &r->rows[i].key);
		member->row = &r->rows[i];
	}
	return 0;
}

static int collect_hists(const struct group_request *request, struct group_members *out)
{
	const struct reading *r = request->reading;

	if (!r->hists_by_lun && !without_lun(request))
		return 0;
	for (size_t i = 0; i < r->hist_count; i++) {
		struct group_member *member;

		if (!filter_match(request->filter, r, &r->hists[i].key))
			continue;
		member = member_add(out);
		if (!member)
			return -ENOMEM;
		member_init(member, request, &r->hists[i].key);
		member->hist = &r->hists[i];
	}
	return 0;
}

/* Were sizes told apart in this reading? Nothing speaks against it when there are no rows. */
static bool split_by_size(const struct reading *r)
{
	for (size_t i = 0; i < r->row_count; i++) {
		if (r->rows[i].key.size_class == SIZE_ALL)
			return false;
	}
	return true;
}

static int add_idle_sizes(const struct group_request *request, struct sums_key *key, bool sizes,
			  struct group_members *out)
{
	uint8_t last = sizes ? SIZE_COUNT - 1 : SIZE_ALL;

	for (uint8_t size = sizes ? SIZE_4K : SIZE_ALL; size <= last; size++) {
		struct group_member *member = member_add(out);

		if (!member)
			return -ENOMEM;
		key->size_class = size;
		member_init(member, request, key);
	}
	return 0;
}

/* Idle members of one session or LUN: one per operation and size class that are told apart. */
static int add_idle(const struct group_request *request, struct sums_key key, bool sizes,
		    struct group_members *out)
{
	for (uint8_t op = 0; op < OP_COUNT; op++) {
		int err;

		key.op = op;
		if (!filter_match(request->filter, request->reading, &key))
			continue;
		err = add_idle_sizes(request, &key, sizes, out);
		if (err || !(request->keys & BY_OP))
			return err;
	}
	return 0;
}

static int collect_idle_luns(const struct group_request *request, bool sizes,
			     struct group_members *out)
{
	const struct reading *r = request->reading;
	int err = 0;

	for (size_t i = 0; i < r->lun_count && !err; i++) {
		const struct session_name *session = reading_find_session(r, r->luns[i].sid);

		err = add_idle(request,
			       (struct sums_key){.sid = r->luns[i].sid,
						 .cid = session ? session->cid : 0,
						 .lun = r->luns[i].lun},
			       sizes, out);
	}
	return err;
}

static int collect_idle(const struct group_request *request, struct group_members *out)
{
	bool sizes = request->keys & BY_SIZE && split_by_size(request->reading);
	const struct reading *r = request->reading;
	int err = 0;

	if (!without_lun(request))
		return collect_idle_luns(request, sizes, out);
	for (size_t i = 0; i < r->session_count && !err; i++) {
		err = add_idle(request,
			       (struct sums_key){.sid = r->sessions[i].sid,
						 .cid = r->sessions[i].cid,
						 .lun = LUN_ANY},
			       sizes, out);
	}
	return err;
}

int group_member_collect(const struct group_request *request, struct group_members *out)
{
	int err;

	*out = (struct group_members){0};
	err = collect_rows(request, out);
	if (!err)
		err = collect_hists(request, out);
	if (!err && !request->hide_idle)
		err = collect_idle(request, out);
	return err;
}

/* Names of one session are at one place: most comparisons end without looking at them. */
static int compare_names(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int group_member_compare(const void *a, const void *b)
{
	const struct group_member *x = a, *y = b;
	int order = compare_names(x->initiator, y->initiator);

	if (!order)
		order = compare_names(x->target, y->target);
	if (!order)
		order = compare_numbers(x->sid, y->sid);
	if (!order)
		order = compare_numbers(x->cid, y->cid);
	if (!order)
		order = compare_numbers(x->lun, y->lun);
	if (!order)
		order = compare_names(x->portal, y->portal);
	if (!order)
		order = compare_names(x->disk, y->disk);
	if (!order)
		order = compare_names(x->mpath, y->mpath);
	if (!order)
		order = compare_numbers(x->op, y->op);
	return order ? order : compare_numbers(x->size_class, y->size_class);
}
