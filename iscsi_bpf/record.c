/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The recorder: readings written to a file as JSON lines. */
#include "iscsi_bpf/record.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "common/common.h"
#include "iscsi_bpf/recording.h"
#include "iscsi_bpf/recording_event.h"

#define COUNTER(member)                                                                            \
	{                                                                                          \
#member, offsetof(struct sums, member), false                                      \
	}
#define NEW_COUNTER(member)                                                                        \
	{                                                                                          \
#member, offsetof(struct sums, member), true                                       \
	}

/* clang-format off */
const struct recording_counter recording_counters[RECORDING_COUNTERS] = {
	COUNTER(ios), COUNTER(pdus), COUNTER(bytes), COUNTER(good), COUNTER(status_errors),
	COUNTER(host_errors), COUNTER(refused), NEW_COUNTER(refused_window),
	NEW_COUNTER(refused_no_task), COUNTER(no_task), COUNTER(retries), COUNTER(aborted),
	COUNTER(disrupted), COUNTER(r2ts), COUNTER(no_block),
};
/* clang-format on */

struct recorder {
	FILE *file;
	char *path;
};

static void add_number(struct json_object *object, const char *name, uint64_t number)
{
	json_object_object_add(object, name, json_object_new_uint64(number));
}

static void add_text(struct json_object *object, const char *name, const char *text)
{
	json_object_object_add(object, name, json_object_new_string(text));
}

static struct json_object *add_object(struct json_object *object, const char *name)
{
	struct json_object *member = json_object_new_object();

	json_object_object_add(object, name, member);
	return member;
}

static struct json_object *add_array(struct json_object *object, const char *name)
{
	struct json_object *member = json_object_new_array();

	json_object_object_add(object, name, member);
	return member;
}

static struct json_object *pair(uint64_t first, uint64_t second)
{
	struct json_object *array = json_object_new_array_ext(2);

	json_object_array_add(array, json_object_new_uint64(first));
	json_object_array_add(array, json_object_new_uint64(second));
	return array;
}

static void add_key(struct json_object *object, const struct sums_key *key)
{
	add_number(object, "sid", key->sid);
	add_number(object, "cid", key->cid);
	add_number(object, "lun", key->lun);
	add_text(object, "op", iscsi_op_name(key->op));
	add_text(object, "size", iscsi_size_class_name(key->size_class));
}

static void add_inflight(struct json_object *object, const struct reading_row *row)
{
	struct json_object *stages;

	add_number(object, "inflight", row->inflight);
	stages = add_object(object, "inflight_stages");
	for (uint32_t i = 0; i < STAGE_TOTAL; i++)
		if (row->stages[i].count)
			json_object_object_add(
				stages, iscsi_stage_name(i),
				pair(row->stages[i].count, row->stages[i].oldest_ns));
}

static struct json_object *row_object(const struct reading_row *row)
{
	struct json_object *object = json_object_new_object();
	struct json_object *stages, *phases;

	add_key(object, &row->key);
	add_inflight(object, row);
	for (size_t i = 0; i < RECORDING_COUNTERS; i++) {
		const struct recording_counter *counter = &recording_counters[i];
		uint64_t value;

		memcpy(&value, (const char *)&row->sums + counter->offset, sizeof(value));
		add_number(object, counter->name, value);
	}
	stages = add_object(object, "stages");
	for (uint32_t i = 0; i < STAGE_COUNT; i++)
		json_object_object_add(stages, iscsi_stage_name(i),
				       pair(row->sums.stage[i].sum_ns, row->sums.stage[i].max_ns));
	phases = add_array(object, "phase_max_ns");
	for (uint32_t i = 0; i < PHASE_COUNT; i++)
		json_object_array_add(phases, json_object_new_uint64(row->sums.phase_max_ns[i]));
	return object;
}

static struct json_object *hist_object(const struct reading_hist *hist)
{
	struct json_object *object = json_object_new_object();
	struct json_object *stages;

	add_key(object, &hist->key);
	stages = add_object(object, "stages");
	for (uint32_t stage = 0; stage < STAGE_COUNT; stage++) {
		struct json_object *buckets = add_array(stages, iscsi_stage_name(stage));

		for (uint32_t i = 0; i < LAT_HIST_BUCKETS; i++) {
			if (hist->bucket[stage][i])
				json_object_array_add(buckets, pair(i, hist->bucket[stage][i]));
		}
	}
	return object;
}

static void add_nops(struct json_object *session, const struct nop_sums *nops)
{
	struct json_object *array;

	if (!nops->count && !nops->lost)
		return;
	array = add_array(session, "nops");
	json_object_array_add(array, json_object_new_uint64(nops->count));
	json_object_array_add(array, json_object_new_uint64(nops->sum_ns));
	json_object_array_add(array, json_object_new_uint64(nops->max_ns));
	json_object_array_add(array, json_object_new_uint64(nops->lost));
}

static void add_names(struct json_object *object, const struct reading *r)
{
	struct json_object *sessions = add_array(object, "sessions");
	struct json_object *luns = add_array(object, "luns");

	for (size_t i = 0; i < r->session_count; i++) {
		struct json_object *session = json_object_new_object();

		add_number(session, "sid", r->sessions[i].sid);
		add_number(session, "cid", r->sessions[i].cid);
		add_text(session, "target", r->sessions[i].target);
		add_text(session, "initiator", r->sessions[i].initiator);
		add_text(session, "portal", r->sessions[i].portal);
		if (r->sessions[i].cmds_max)
			add_number(session, "cmds_max", r->sessions[i].cmds_max);
		if (r->sessions[i].window_known)
			add_number(session, "cmdsn_window", r->sessions[i].cmdsn_window);
		add_nops(session, &r->sessions[i].nops);
		json_object_array_add(sessions, session);
	}
	for (size_t i = 0; i < r->lun_count; i++) {
		struct json_object *lun = json_object_new_object();

		add_number(lun, "sid", r->luns[i].sid);
		add_number(lun, "lun", r->luns[i].lun);
		add_text(lun, "disk", r->luns[i].disk);
		add_text(lun, "devno", r->luns[i].devno);
		add_text(lun, "dm", r->luns[i].dm);
		add_text(lun, "mpath", r->luns[i].mpath);
		if (r->luns[i].queue_depth)
			add_number(lun, "queue_depth", r->luns[i].queue_depth);
		json_object_array_add(luns, lun);
	}
}

static struct json_object *reading_object(const struct reading *r)
{
	struct json_object *object = json_object_new_object();
	struct json_object *known, *loss;

	add_number(object, "number", r->number);
	add_number(object, "start_ns", r->start_ns);
	add_number(object, "length_ns", r->length_ns);
	known = add_array(object, "stages_known");
	for (uint32_t i = 0; i < STAGE_COUNT; i++) {
		if (r->stages_known >> i & 1)
			json_object_array_add(known, json_object_new_string(iscsi_stage_name(i)));
	}
	json_object_object_add(object, "hists_by_lun", json_object_new_boolean(r->hists_by_lun));
	loss = add_object(object, "loss");
	for (int i = 0; i < LOSS_COUNT; i++) {
		if (r->loss[i] == LOSS_UNKNOWN)
			json_object_object_add(loss, loss_name(i), NULL);
		else
			add_number(loss, loss_name(i), r->loss[i]);
	}
	add_names(object, r);
	return object;
}

static int put_text(FILE *file, const char *text)
{
	errno = 0;
	if (fputs(text, file) >= 0)
		return 0;
	return errno ? -errno : -EIO;
}

/* Writes `before` and the object, which it releases: one after the other, memory stays small. */
static int put_object(FILE *file, const char *before, struct json_object *object)
{
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text = json_object_to_json_string_ext(object, flags);
	int err = text ? put_text(file, before) : -ENOMEM;

	if (!err)
		err = put_text(file, text);
	json_object_put(object);
	return err;
}

static int flush(FILE *file)
{
	errno = 0;
	if (fflush(file) == 0)
		return 0;
	return errno ? -errno : -EIO;
}

static int put_header(FILE *file)
{
	struct json_object *header = json_object_new_object();
	int err;

	add_number(header, RECORDING_MARK, RECORDING_VERSION);
	err = put_object(file, "", header);
	if (!err)
		err = put_text(file, "\n");
	return err ? err : flush(file);
}

/* Continues after the open array of histograms. */
static int put_events(FILE *file, const struct reading *r)
{
	int err = r->event_count ? put_text(file, "],\"events\":[") : 0;

	for (size_t i = 0; i < r->event_count && !err; i++)
		err = put_object(file, i ? "," : "", recording_event(&r->events[i]));
	return err;
}

int recorder_write(struct recorder *recorder, const struct reading *r)
{
	FILE *file = recorder->file;
	int err = put_object(file, "{\"reading\":", reading_object(r));

	if (!err)
		err = put_text(file, ",\"rows\":[");
	for (size_t i = 0; i < r->row_count && !err; i++)
		err = put_object(file, i ? "," : "", row_object(&r->rows[i]));
	if (!err)
		err = put_text(file, "],\"hists\":[");
	for (size_t i = 0; i < r->hist_count && !err; i++)
		err = put_object(file, i ? "," : "", hist_object(&r->hists[i]));
	if (!err)
		err = put_events(file, r);
	if (!err)
		err = put_text(file, "]}\n");
	return err ? err : flush(file);
}

int recorder_open(const char *path, struct recorder **out)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	int err = 0;

	if (!recorder)
		return -ENOMEM;
	recorder->path = strdup(path);
	recorder->file = fopen(path, "we");
	if (!recorder->path || !recorder->file)
		err = recorder->path ? -errno : -ENOMEM;
	else
		err = put_header(recorder->file);
	if (err) {
		recorder_close(recorder);
		return err;
	}
	*out = recorder;
	return 0;
}

/* A line that was cut off must not swallow the header after it. */
static int end_cut_line(FILE *file)
{
	int last = '\n';

	/* Fails for what is empty or no file: there is nothing to end then. */
	if (fseek(file, -1, SEEK_END) == 0)
		last = fgetc(file);
	fseek(file, 0, SEEK_END);
	return last == '\n' ? 0 : put_text(file, "\n");
}

int recorder_reopen(struct recorder *recorder)
{
	FILE *file = fopen(recorder->path, "a+e");
	int err;

	if (!file)
		return -errno;
	err = end_cut_line(file);
	if (!err)
		err = put_header(file);
	if (err) {
		fclose(file);
		return err;
	}
	errno = 0;
	if (fclose(recorder->file) != 0)
		err = errno ? -errno : -EIO;
	recorder->file = file;
	return err;
}

int recorder_close(struct recorder *recorder)
{
	int err = 0;

	if (!recorder)
		return 0;
	errno = 0;
	if (recorder->file && fclose(recorder->file) != 0)
		err = errno ? -errno : -EIO;
	free(recorder->path);
	free(recorder);
	return err;
}
