/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The filter: lists of names and numbers, and what of a reading matches them. */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/filter.h"

int name_list_add(struct name_list *list, const char *name)
{
	char **names = realloc(list->names, (list->count + 1) * sizeof(*names));

	if (!names)
		return -ENOMEM;
	list->names = names;
	names[list->count] = strdup(name);
	if (!names[list->count])
		return -ENOMEM;
	list->count++;
	return 0;
}

int id_list_add(struct id_list *list, uint64_t id)
{
	uint64_t *ids = realloc(list->ids, (list->count + 1) * sizeof(*ids));

	if (!ids)
		return -ENOMEM;
	list->ids = ids;
	ids[list->count++] = id;
	return 0;
}

/* Equality first: a name may hold characters that mean something in a pattern. */
static bool name_match(const char *pattern, const char *name)
{
	return !strcmp(pattern, name) || !fnmatch(pattern, name, 0);
}

bool name_list_match(const struct name_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		if (name_match(list->names[i], name))
			return true;
	}
	return list->count == 0;
}

bool id_list_match(const struct id_list *list, uint64_t id)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->ids[i] == id)
			return true;
	}
	return list->count == 0;
}

static void name_list_deinit(struct name_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->names[i]);
	free(list->names);
}

void filter_deinit(struct filter *f)
{
	if (!f)
		return;
	name_list_deinit(&f->targets);
	name_list_deinit(&f->initiators);
	name_list_deinit(&f->disks);
	free(f->sids.ids);
	free(f->cids.ids);
	free(f->luns.ids);
	*f = (struct filter){0};
}

bool filter_empty(const struct filter *f)
{
	return !f || (!f->targets.count && !f->initiators.count && !f->disks.count &&
		      !f->sids.count && !f->cids.count && !f->luns.count && !f->ops);
}

static bool match_session(const struct filter *f, const struct reading *r, uint32_t sid)
{
	const struct session_name *session;

	if (!f->targets.count && !f->initiators.count)
		return true;
	session = reading_find_session(r, sid);
	return name_list_match(&f->targets, session ? session->target : "") &&
	       name_list_match(&f->initiators, session ? session->initiator : "");
}

bool filter_match_session(const struct filter *f, const struct session_name *session)
{
	return !f ||
	       (id_list_match(&f->sids, session->sid) && id_list_match(&f->cids, session->cid) &&
		name_list_match(&f->targets, session->target) &&
		name_list_match(&f->initiators, session->initiator));
}

static bool match_disk(const struct name_list *disks, const struct lun_name *lun)
{
	return name_list_match(disks, lun->disk) || name_list_match(disks, lun->devno) ||
	       name_list_match(disks, lun->dm) || name_list_match(disks, lun->mpath);
}

bool filter_match(const struct filter *f, const struct reading *r, const struct sums_key *key)
{
	static const struct lun_name unknown;
	const struct lun_name *lun;

	if (filter_empty(f))
		return true;
	if (f->ops && !(f->ops >> key->op & 1))
		return false;
	if (!id_list_match(&f->sids, key->sid) || !id_list_match(&f->cids, key->cid) ||
	    !id_list_match(&f->luns, key->lun) || !match_session(f, r, key->sid))
		return false;
	if (!f->disks.count)
		return true;
	lun = reading_find_lun(r, key->sid, key->lun);
	return match_disk(&f->disks, lun ? lun : &unknown);
}

static bool any_lun_matches(const struct filter *f, const struct reading *r, uint32_t sid)
{
	for (size_t i = 0; i < r->lun_count; i++) {
		const struct lun_name *lun = &r->luns[i];

		if (lun->sid == sid && id_list_match(&f->luns, lun->lun) &&
		    (!f->disks.count || match_disk(&f->disks, lun)))
			return true;
	}
	return !f->luns.count && !f->disks.count;
}

bool filter_match_event(const struct filter *f, const struct reading *r, const struct event *event)
{
	struct sums_key key = {
		.sid = event->sid, .cid = event->cid, .lun = event->lun, .op = event->op};

	if (event->type == EVENT_COMMAND && event->stage_ns[STAGE_TOTAL] < f->slower_ns)
		return false;
	if (event->type == EVENT_STUCK && event->age_ns < f->stuck_ns)
		return false;
	if (event->type != EVENT_SESSION)
		return filter_match(f, r, &key);
	if (f && f->no_session_events)
		return false;
	if (filter_empty(f))
		return true;
	return id_list_match(&f->sids, event->sid) && id_list_match(&f->cids, event->cid) &&
	       match_session(f, r, event->sid) && any_lun_matches(f, r, event->sid);
}

/* One value of the filter: does a session or LUN have it? */
struct wanted {
	const char *name; /* NULL: a number is wanted */
	uint64_t id;
};

typedef bool (*session_has)(const struct session_name *session, const struct wanted *wanted);
typedef bool (*lun_has)(const struct lun_name *lun, const struct wanted *wanted);

static bool session_has_target(const struct session_name *session, const struct wanted *wanted)
{
	return name_match(wanted->name, session->target);
}

static bool session_has_initiator(const struct session_name *session, const struct wanted *wanted)
{
	return name_match(wanted->name, session->initiator);
}

static bool session_has_sid(const struct session_name *session, const struct wanted *wanted)
{
	return session->sid == wanted->id;
}

static bool session_has_cid(const struct session_name *session, const struct wanted *wanted)
{
	return session->cid == wanted->id;
}

static bool lun_has_disk(const struct lun_name *lun, const struct wanted *wanted)
{
	return name_match(wanted->name, lun->disk) || name_match(wanted->name, lun->devno) ||
	       name_match(wanted->name, lun->dm) || name_match(wanted->name, lun->mpath);
}

static bool lun_has_number(const struct lun_name *lun, const struct wanted *wanted)
{
	return lun->lun == wanted->id;
}

/* One kind of filter: its values and where a reading would have them. */
struct kind {
	const char *word;
	const struct name_list *names;
	const struct id_list *ids;
	session_has in_session;
	lun_has in_lun;
};

static bool wanted_present(const struct kind *kind, const struct reading *r,
			   const struct wanted *wanted)
{
	for (size_t i = 0; kind->in_session && i < r->session_count; i++) {
		if (kind->in_session(&r->sessions[i], wanted))
			return true;
	}
	for (size_t i = 0; kind->in_lun && i < r->lun_count; i++) {
		if (kind->in_lun(&r->luns[i], wanted))
			return true;
	}
	return false;
}

static void wanted_text(const struct kind *kind, const struct wanted *wanted, char *text,
			size_t size)
{
	if (wanted->name)
		snprintf(text, size, "%s %s", kind->word, wanted->name);
	else
		snprintf(text, size, "%s %" PRIu64, kind->word, wanted->id);
}

static size_t kind_absent(const struct kind *kind, const struct reading *r,
			  void (*say)(void *arg, const char *what), void *arg)
{
	size_t count = kind->names ? kind->names->count : kind->ids->count;
	size_t absent = 0;
	char text[512];

	for (size_t i = 0; i < count; i++) {
		struct wanted wanted = {
			.name = kind->names ? kind->names->names[i] : NULL,
			.id = kind->ids ? kind->ids->ids[i] : 0,
		};

		if (wanted_present(kind, r, &wanted))
			continue;
		wanted_text(kind, &wanted, text, sizeof(text));
		if (say)
			say(arg, text);
		absent++;
	}
	return absent;
}

size_t filter_absent(const struct filter *f, const struct reading *r,
		     void (*say)(void *arg, const char *what), void *arg)
{
	const struct kind kinds[] = {
		{"target", &f->targets, NULL, session_has_target, NULL},
		{"initiator", &f->initiators, NULL, session_has_initiator, NULL},
		{"sid", NULL, &f->sids, session_has_sid, NULL},
		{"cid", NULL, &f->cids, session_has_cid, NULL},
		{"lun", NULL, &f->luns, NULL, lun_has_number},
		{"disk", &f->disks, NULL, NULL, lun_has_disk},
	};
	size_t absent = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		absent += kind_absent(&kinds[i], r, say, arg);
	return absent;
}
