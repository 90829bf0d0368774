/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A reading from its line in a recording, in which everything may be wrong. */
#include "iscsi_bpf/replay_reading.h"

#include <errno.h>
#include <string.h>
#include "common/common.h"
#include "iscsi_bpf/members.h"
#include "iscsi_bpf/recording.h"
#include "iscsi_bpf/recording_event.h"

/* Far above what a host has; a histogram takes 300 times the memory that its line does. */
#define ITEMS_MAX  65536
#define EVENTS_MAX (1U << 24)
/* Counts of all buckets add up without overflow. */
#define BUCKET_COUNT_MAX (1ULL << 53)

/* One element of an array of the line. */
typedef int (*take_item)(struct members *m, struct reading *r);

/* Takes all elements of m's array `name`; an element that is wrong is named by its own member. */
static int take_items(struct members *m, const char *name, size_t max, struct reading *r,
		      take_item take)
{
	struct json_object *array = members_array(m, name, max);
	size_t count = array ? json_object_array_length(array) : 0;

	for (size_t i = 0; i < count; i++) {
		struct members item = {.object = json_object_array_get_idx(array, i)};
		int err = take(&item, r);

		if (err == -EEXIST)
			item.bad = name;
		else if (err)
			return err;
		if (item.bad) {
			m->bad = item.bad;
			return 0;
		}
	}
	return 0;
}

/* 0 where it was not known or not recorded. */
static uint32_t gauge(struct members *m, const char *name)
{
	return members_has(m, name) ? members_number(m, name, UINT32_MAX) : 0;
}

static void take_nops(struct members *m, struct nop_sums *nops)
{
	uint64_t number[4] = {0};

	if (!members_has(m, "nops"))
		return;
	if (!json_numbers(members_array(m, "nops", 4), 4, number))
		m->bad = "nops";
	*nops = (struct nop_sums){number[0], number[1], number[2], number[3]};
}

static int take_session(struct members *m, struct reading *r)
{
	uint32_t sid = members_number(m, "sid", UINT32_MAX);
	size_t before = r->session_count;
	struct session_name *session;

	if (m->bad)
		return 0;
	session = reading_session(r, sid);
	if (!session)
		return -ENOMEM;
	if (r->session_count == before)
		return -EEXIST;
	session->cid = members_number(m, "cid", UINT32_MAX);
	members_text(m, "target", session->target, sizeof(session->target));
	members_text(m, "initiator", session->initiator, sizeof(session->initiator));
	members_text(m, "portal", session->portal, sizeof(session->portal));
	take_nops(m, &session->nops);
	session->cmds_max = gauge(m, "cmds_max");
	session->window_known = members_has(m, "cmdsn_window");
	session->cmdsn_window = gauge(m, "cmdsn_window");
	return 0;
}

static int take_lun(struct members *m, struct reading *r)
{
	uint32_t sid = members_number(m, "sid", UINT32_MAX);
	uint64_t number = members_number(m, "lun", UINT64_MAX);
	size_t before = r->lun_count;
	struct lun_name *lun;

	if (m->bad)
		return 0;
	lun = reading_lun(r, sid, number);
	if (!lun)
		return -ENOMEM;
	if (r->lun_count == before)
		return -EEXIST;
	members_text(m, "disk", lun->disk, sizeof(lun->disk));
	members_text(m, "devno", lun->devno, sizeof(lun->devno));
	members_text(m, "dm", lun->dm, sizeof(lun->dm));
	members_text(m, "mpath", lun->mpath, sizeof(lun->mpath));
	lun->queue_depth = gauge(m, "queue_depth");
	return 0;
}

static struct sums_key take_key(struct members *m)
{
	return (struct sums_key){
		.sid = members_number(m, "sid", UINT32_MAX),
		.cid = members_number(m, "cid", UINT32_MAX),
		.lun = members_number(m, "lun", UINT64_MAX),
		.op = members_choice(m, "op", iscsi_op_name, OP_COUNT),
		.size_class = members_choice(m, "size", iscsi_size_class_name, SIZE_COUNT),
	};
}

static void take_sums(struct members *m, struct sums *sums)
{
	struct members stages = {.object = members_object(m, "stages")};
	struct json_object *phases = members_array(m, "phase_max_ns", PHASE_COUNT);
	uint64_t times[2] = {0}, phase_max_ns[PHASE_COUNT] = {0};

	for (uint32_t i = 0; i < STAGE_COUNT && !m->bad; i++) {
		const char *name = iscsi_stage_name(i);

		if (!json_numbers(members_array(&stages, name, 2), 2, times))
			m->bad = name;
		sums->stage[i] = (struct stage_sum){.sum_ns = times[0], .max_ns = times[1]};
	}
	if (!m->bad && !json_numbers(phases, PHASE_COUNT, phase_max_ns))
		m->bad = "phase_max_ns";
	for (int i = 0; i < PHASE_COUNT; i++)
		sums->phase_max_ns[i] = phase_max_ns[i];
	for (size_t i = 0; i < RECORDING_COUNTERS; i++) {
		const struct recording_counter *counter = &recording_counters[i];
		uint64_t value = 0;

		if (!counter->optional || members_has(m, counter->name))
			value = members_number(m, counter->name, UINT64_MAX);
		memcpy((char *)sums + counter->offset, &value, sizeof(value));
	}
}

/* Missing where it was recorded before it was known: then no stage has a count. */
static void take_inflight(struct members *m, struct reading_row *row)
{
	uint64_t pair[2], left = row->inflight = members_number(m, "inflight", UINT32_MAX);
	struct members stages = {0};

	if (!members_has(m, "inflight_stages"))
		return;
	stages.object = members_object(m, "inflight_stages");
	for (uint32_t i = 0; i < STAGE_TOTAL && !m->bad; i++) {
		const char *name = iscsi_stage_name(i);

		if (!members_has(&stages, name))
			continue;
		if (!json_numbers(members_array(&stages, name, 2), 2, pair) || pair[0] > left) {
			m->bad = "inflight_stages";
			return;
		}
		left -= pair[0];
		row->stages[i] = (struct inflight_stage){.count = pair[0], .oldest_ns = pair[1]};
	}
	if (left && !m->bad)
		m->bad = "inflight_stages";
}

static int take_row(struct members *m, struct reading *r)
{
	struct sums_key key = take_key(m);
	size_t before = r->row_count;
	struct reading_row *row;

	if (m->bad)
		return 0;
	row = reading_row(r, &key);
	if (!row)
		return -ENOMEM;
	if (r->row_count == before)
		return -EEXIST;
	take_inflight(m, row);
	take_sums(m, &row->sums);
	return 0;
}

/* [[bucket,count],..], each bucket once. */
static bool take_buckets(struct json_object *pairs, uint64_t bucket[LAT_HIST_BUCKETS])
{
	size_t count = pairs ? json_object_array_length(pairs) : 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t pair[2];

		if (!json_numbers(json_object_array_get_idx(pairs, i), 2, pair) ||
		    pair[0] >= LAT_HIST_BUCKETS || bucket[pair[0]] || !pair[1] ||
		    pair[1] > BUCKET_COUNT_MAX)
			return false;
		bucket[pair[0]] = pair[1];
	}
	return pairs;
}

static int take_hist(struct members *m, struct reading *r)
{
	struct sums_key key = take_key(m);
	struct members stages = {.object = members_object(m, "stages")};
	size_t before = r->hist_count;
	struct reading_hist *hist;

	if (m->bad)
		return 0;
	hist = reading_hist(r, &key);
	if (!hist)
		return -ENOMEM;
	if (r->hist_count == before)
		return -EEXIST;
	for (uint32_t i = 0; i < STAGE_COUNT && !m->bad; i++) {
		const char *name = iscsi_stage_name(i);
		struct json_object *pairs = members_array(&stages, name, LAT_HIST_BUCKETS);

		if (!take_buckets(pairs, hist->bucket[i]))
			m->bad = name;
	}
	return 0;
}

static void take_stages_known(struct members *m, struct reading *r)
{
	struct json_object *names = members_array(m, "stages_known", STAGE_COUNT);
	size_t count = names ? json_object_array_length(names) : 0;

	for (size_t i = 0; i < count; i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(names, i));
		uint32_t stage = 0;

		while (stage < STAGE_COUNT && (!name || strcmp(name, iscsi_stage_name(stage)) != 0))
			stage++;
		if (stage == STAGE_COUNT)
			m->bad = "stages_known";
		else
			r->stages_known |= 1U << stage;
	}
}

/* A loss that the recording program did not know was not counted. */
static void take_losses(struct members *m, struct reading *r)
{
	struct json_object *losses = members_object(m, "loss");

	for (int i = 0; i < LOSS_COUNT; i++) {
		struct json_object *value = NULL;

		r->loss[i] = LOSS_UNKNOWN;
		json_object_object_get_ex(losses, loss_name(i), &value);
		if (value && !json_number(value, UINT64_MAX, &r->loss[i]))
			m->bad = loss_name(i);
	}
}

static int take_head(struct members *m, struct reading *r)
{
	int err;

	r->number = members_number(m, "number", UINT64_MAX);
	r->start_ns = members_number(m, "start_ns", UINT64_MAX);
	r->length_ns = members_number(m, "length_ns", UINT64_MAX);
	r->hists_by_lun = members_bool(m, "hists_by_lun");
	take_stages_known(m, r);
	take_losses(m, r);
	err = take_items(m, "sessions", ITEMS_MAX, r, take_session);
	return err ? err : take_items(m, "luns", ITEMS_MAX, r, take_lun);
}

int replay_reading(struct json_object *line, struct reading *r, const char **bad)
{
	struct members m = {.object = line};
	struct members head = {.object = members_object(&m, "reading"), .bad = m.bad};
	int err = take_head(&head, r);

	m.bad = head.bad;
	if (!err)
		err = take_items(&m, "rows", ITEMS_MAX, r, take_row);
	if (!err)
		err = take_items(&m, "hists", ITEMS_MAX, r, take_hist);
	if (!err && json_object_object_get_ex(line, "events", NULL))
		err = take_items(&m, "events", EVENTS_MAX, r, recording_take_event);
	*bad = m.bad;
	if (!err && m.bad)
		err = -EINVAL;
	if (err)
		reading_deinit(r);
	return err;
}
