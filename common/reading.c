/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A reading: its arrays, looked up by key, and readings added to each other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/reading_index.h"

static void row_key(const void *item, struct sums_key *key)
{
	*key = ((const struct reading_row *)item)->key;
}

static void hist_key(const void *item, struct sums_key *key)
{
	*key = ((const struct reading_hist *)item)->key;
}

static void session_key(const void *item, struct sums_key *key)
{
	*key = (struct sums_key){.sid = ((const struct session_name *)item)->sid};
}

static void lun_key(const void *item, struct sums_key *key)
{
	const struct lun_name *lun = item;

	*key = (struct sums_key){.sid = lun->sid, .lun = lun->lun};
}

static struct reading_array session_array(const struct reading *r)
{
	return (struct reading_array){r->sessions, r->session_count, sizeof(*r->sessions),
				      session_key};
}

static struct reading_array lun_array(const struct reading *r)
{
	return (struct reading_array){r->luns, r->lun_count, sizeof(*r->luns), lun_key};
}

void reading_init(struct reading *r)
{
	*r = (struct reading){0};
}

void reading_deinit(struct reading *r)
{
	if (!r)
		return;
	free(r->rows);
	free(r->hists);
	free(r->sessions);
	free(r->luns);
	free(r->events);
	reading_index_deinit(&r->row_index);
	reading_index_deinit(&r->hist_index);
	reading_index_deinit(&r->session_index);
	reading_index_deinit(&r->lun_index);
	reading_init(r);
}

struct reading_row *reading_row(struct reading *r, const struct sums_key *key)
{
	struct reading_array rows = {r->rows, r->row_count, sizeof(*r->rows), row_key};
	struct reading_row *row = reading_index_item(&r->row_index, &rows, key);

	r->rows = rows.items;
	r->row_count = rows.count;
	if (row)
		row->key = *key;
	return row;
}

struct reading_hist *reading_hist(struct reading *r, const struct sums_key *key)
{
	struct reading_array hists = {r->hists, r->hist_count, sizeof(*r->hists), hist_key};
	struct reading_hist *hist = reading_index_item(&r->hist_index, &hists, key);

	r->hists = hists.items;
	r->hist_count = hists.count;
	if (hist)
		hist->key = *key;
	return hist;
}

struct session_name *reading_session(struct reading *r, uint32_t sid)
{
	struct sums_key key = {.sid = sid};
	struct reading_array sessions = session_array(r);
	struct session_name *session = reading_index_item(&r->session_index, &sessions, &key);

	r->sessions = sessions.items;
	r->session_count = sessions.count;
	if (session)
		session->sid = sid;
	return session;
}

struct lun_name *reading_lun(struct reading *r, uint32_t sid, uint64_t lun)
{
	struct sums_key key = {.sid = sid, .lun = lun};
	struct reading_array luns = lun_array(r);
	struct lun_name *name = reading_index_item(&r->lun_index, &luns, &key);

	r->luns = luns.items;
	r->lun_count = luns.count;
	if (name) {
		name->sid = sid;
		name->lun = lun;
	}
	return name;
}

struct event *reading_event(struct reading *r, enum event_type type)
{
	size_t capacity = r->event_capacity ? 2 * r->event_capacity : 64;
	struct event *events;

	if (r->event_count == r->event_capacity) {
		events = realloc(r->events, capacity * sizeof(*events));
		if (!events)
			return NULL;
		r->events = events;
		r->event_capacity = capacity;
	}
	event_init(&r->events[r->event_count], type);
	return &r->events[r->event_count++];
}

static int by_time(const void *a, const void *b)
{
	const struct event *first = a, *second = b;

	return (first->time_ns > second->time_ns) - (first->time_ns < second->time_ns);
}

void reading_order_events(struct reading *r)
{
	if (r->event_count)
		qsort(r->events, r->event_count, sizeof(*r->events), by_time);
}

const struct session_name *reading_find_session(const struct reading *r, uint32_t sid)
{
	struct sums_key key = {.sid = sid};
	struct reading_array sessions = session_array(r);

	return reading_index_find(&r->session_index, &sessions, &key);
}

const struct lun_name *reading_find_lun(const struct reading *r, uint32_t sid, uint64_t lun)
{
	struct sums_key key = {.sid = sid, .lun = lun};
	struct reading_array luns = lun_array(r);

	return reading_index_find(&r->lun_index, &luns, &key);
}

/* What is in flight does not add up over time; NULL: nothing is. */
static void row_set_inflight(struct reading_row *row, const struct reading_row *now)
{
	static const struct reading_row none;

	if (!now)
		now = &none;
	row->inflight = now->inflight;
	memcpy(row->stages, now->stages, sizeof(row->stages));
}

static int merge_rows(struct reading *dst, const struct reading *src)
{
	for (size_t i = 0; i < dst->row_count; i++)
		row_set_inflight(&dst->rows[i], NULL);
	for (size_t i = 0; i < src->row_count; i++) {
		struct reading_row *row = reading_row(dst, &src->rows[i].key);

		if (!row)
			return -ENOMEM;
		sums_add(&row->sums, &src->rows[i].sums);
		row_set_inflight(row, &src->rows[i]);
	}
	return 0;
}

static int merge_hists(struct reading *dst, const struct reading *src)
{
	for (size_t i = 0; i < src->hist_count; i++) {
		struct reading_hist *hist = reading_hist(dst, &src->hists[i].key);

		if (!hist)
			return -ENOMEM;
		for (int s = 0; s < STAGE_COUNT; s++) {
			for (int b = 0; b < LAT_HIST_BUCKETS; b++)
				hist->bucket[s][b] += src->hists[i].bucket[s][b];
		}
	}
	return 0;
}

void nops_add(struct nop_sums *dst, const struct nop_sums *src)
{
	dst->count += src->count;
	dst->sum_ns += src->sum_ns;
	dst->lost += src->lost;
	if (dst->max_ns < src->max_ns)
		dst->max_ns = src->max_ns;
}

static int merge_names(struct reading *dst, const struct reading *src)
{
	for (size_t i = 0; i < src->session_count; i++) {
		struct session_name *session = reading_session(dst, src->sessions[i].sid);
		struct nop_sums nops;

		if (!session)
			return -ENOMEM;
		nops = session->nops;
		*session = src->sessions[i];
		nops_add(&session->nops, &nops);
	}
	for (size_t i = 0; i < src->lun_count; i++) {
		struct lun_name *lun = reading_lun(dst, src->luns[i].sid, src->luns[i].lun);

		if (!lun)
			return -ENOMEM;
		*lun = src->luns[i];
	}
	return 0;
}

static int add_events(struct reading *dst, const struct reading *src)
{
	for (size_t i = 0; i < src->event_count; i++) {
		struct event *event = reading_event(dst, src->events[i].type);

		if (!event)
			return -ENOMEM;
		*event = src->events[i];
	}
	return 0;
}

static void merge_losses(struct reading *dst, const struct reading *src)
{
	for (int i = 0; i < LOSS_COUNT; i++) {
		if (dst->loss[i] == LOSS_UNKNOWN || src->loss[i] == LOSS_UNKNOWN)
			dst->loss[i] = LOSS_UNKNOWN;
		else
			dst->loss[i] += src->loss[i];
	}
}

int reading_merge(struct reading *dst, const struct reading *src)
{
	dst->event_count = 0;
	return reading_join(dst, src);
}

int reading_join(struct reading *dst, const struct reading *src)
{
	bool fresh = dst->number == 0 && dst->length_ns == 0;
	int err;

	err = merge_rows(dst, src);
	if (!err)
		err = merge_hists(dst, src);
	if (!err)
		err = merge_names(dst, src);
	if (!err)
		err = add_events(dst, src);
	if (err)
		return err;
	merge_losses(dst, src);
	if (fresh)
		dst->start_ns = src->start_ns;
	dst->stages_known = fresh ? src->stages_known : dst->stages_known & src->stages_known;
	dst->hists_by_lun = src->hists_by_lun && (fresh || dst->hists_by_lun);
	dst->number = src->number;
	dst->length_ns += src->length_ns;
	return 0;
}
