/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The machine format: one JSON object per line, one per record, then one of the losses. */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "output/event_json.h"
#include "output/field.h"
#include "output/json_object.h"
#include "output/printer_ops.h"

struct percentile {
	double percent;
	char name[24];
};

struct json {
	struct printer printer;
	struct percentile percentiles[4 + PERCENTILES_MAX];
	size_t percentile_count;
};

/* Keys that the grouping determines, and everything that is counted. */
static void add_fields(struct json_object *object, const struct iscsi_stats *stats)
{
	for (size_t i = 0; i < field_count; i++) {
		const struct field *field = &fields[i];
		struct field_value value = {0};

		if (!field->json || (field->keys && !(stats->keys & field->keys)))
			continue;
		field->get(field, stats, &value);
		if (!value.known)
			json_add_null(object, field->json);
		else if (field->type == FIELD_STRING)
			json_add_text(object, field->json, value.text);
		else
			json_add_count(object, field->json, value.count);
	}
}

static void add_ops(struct json_object *object, const struct iscsi_stats *stats)
{
	struct json_object *ops = json_add_object(object, "ops");

	for (uint32_t op = 0; op < OP_COUNT; op++) {
		struct json_object *one = json_add_object(ops, iscsi_op_name(op));

		json_add_count(one, "ios", stats->ops[op].ios);
		json_add_count(one, "bytes", stats->ops[op].bytes);
	}
}

/* What is in flight by the stage it is in; nothing is in block: it is over once it is seen. */
static void add_inflight(struct json_object *object, const struct iscsi_stats *stats)
{
	struct json_object *stages;

	if (iscsi_oldest_ns(stats) == UINT64_MAX) {
		json_add_null(object, "inflight_stages");
		return;
	}
	stages = json_add_object(object, "inflight_stages");
	for (uint32_t i = STAGE_BUSY; i < STAGE_TOTAL; i++) {
		struct json_object *one = json_add_object(stages, iscsi_stage_name(i));

		json_add_count(one, "count", stats->inflight_stages[i].count);
		json_add_count(one, "oldest_ns", stats->inflight_stages[i].oldest_ns);
	}
}

static void add_stage(const struct json *json, struct json_object *stages,
		      const struct iscsi_stats *stats, uint32_t stage)
{
	const struct iscsi_stage_time *time = &stats->stages[stage];
	struct json_object *one;

	if (!time->known || (time->count == 0 && stats->count > 0)) {
		json_add_null(stages, iscsi_stage_name(stage));
		return;
	}
	one = json_add_object(stages, iscsi_stage_name(stage));
	json_add_count(one, "count", time->count);
	json_add_count(one, "sum_ns", time->sum_ns);
	json_add_count(one, "max_ns", time->max_ns);
	for (size_t i = 0; i < json->percentile_count; i++) {
		const struct percentile *p = &json->percentiles[i];
		uint64_t ns;

		if (iscsi_percentile(stats, stage, p->percent, &ns) == 0)
			json_add_count(one, p->name, ns);
		else
			json_add_null(one, p->name);
	}
}

/* A phase of which no stage can be told apart is not known either. */
static void add_phase(struct json_object *phases, const struct iscsi_stats *stats,
		      enum iscsi_phase phase, const char *name)
{
	const uint64_t sum[] = {stats->waiting, stats->sending, stats->complete};
	const uint64_t max[] = {stats->max_waiting, stats->max_sending, stats->max_complete};
	const struct iscsi_stage_time *stages = &stats->stages[3 * phase];
	struct json_object *one;

	if (!stages[0].known && !stages[1].known && !stages[2].known) {
		json_add_null(phases, name);
		return;
	}
	one = json_add_object(phases, name);
	json_add_count(one, "sum_ns", sum[phase]);
	json_add_count(one, "max_ns", max[phase]);
}

static int write_record(const struct json *json, const struct iscsi_stats *stats)
{
	struct json_object *object =
		json_open_object("stats", stats->start_ns + stats->interval_ns);
	struct json_object *stages, *phases;

	json_add_count(object, "interval_ns", stats->interval_ns);
	add_fields(object, stats);
	add_ops(object, stats);
	add_inflight(object, stats);
	stages = json_add_object(object, "stages");
	for (uint32_t stage = 0; stage < STAGE_COUNT; stage++)
		add_stage(json, stages, stats, stage);
	phases = json_add_object(object, "phases");
	add_phase(phases, stats, PHASE_WAITING, "waiting");
	add_phase(phases, stats, PHASE_SENDING, "sending");
	add_phase(phases, stats, PHASE_COMPLETE, "complete");
	return json_write_line(object, json->printer.out);
}

static int write_nops(const struct json *json, const struct reading *r,
		      const struct session_name *session)
{
	struct json_object *object = json_open_object("nop", r->start_ns + r->length_ns);

	json_add_count(object, "interval_ns", r->length_ns);
	json_add_count(object, "sid", session->sid);
	json_add_count(object, "cid", session->cid);
	json_add_text(object, "target", session->target);
	json_add_text(object, "initiator", session->initiator);
	json_add_text(object, "portal", session->portal);
	json_add_count(object, "count", session->nops.count);
	json_add_count(object, "sum_ns", session->nops.sum_ns);
	json_add_count(object, "max_ns", session->nops.max_ns);
	json_add_count(object, "lost", session->nops.lost);
	return json_write_line(object, json->printer.out);
}

static int write_losses(const struct json *json, const struct reading *r)
{
	struct json_object *object = json_open_object("loss", r->start_ns + r->length_ns);

	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		if (r->loss[loss] == LOSS_UNKNOWN)
			json_add_null(object, loss_name(loss));
		else
			json_add_count(object, loss_name(loss), r->loss[loss]);
	}
	return json_write_line(object, json->printer.out);
}

static int json_interval(struct printer *printer, const struct reading *r,
			 const struct records *records)
{
	const struct json *json = (const struct json *)printer;
	int err = 0;

	for (size_t i = 0; i < records->event_count && !err; i++)
		err = json_write_line(event_json(records->events[i], r), json->printer.out);
	for (size_t i = 0; i < records->count && !err; i++)
		err = write_record(json, &records->records[i]);
	for (size_t i = 0; i < records->pinged_count && !err; i++)
		err = write_nops(json, r, records->pinged[i]);
	return err ? err : write_losses(json, r);
}

static void json_close(struct printer *printer)
{
	free(printer);
}

static void add_percentile(struct json *json, double percent, const char *name)
{
	struct percentile *p = &json->percentiles[json->percentile_count++];
	char text[16];

	p->percent = percent;
	field_percent_text(percent, '_', text, sizeof(text));
	snprintf(p->name, sizeof(p->name), "p%s_ns", name ? name : text);
}

int json_open(const struct options *options, FILE *out, struct printer **printer)
{
	static const struct printer_ops ops = {.interval = json_interval, .close = json_close};
	struct json *json = calloc(1, sizeof(*json));

	if (!json)
		return -ENOMEM;
	json->printer.ops = &ops;
	json->printer.out = out;
	/* These are always there; p999 is how monitoring writes 99.9. */
	add_percentile(json, 50, NULL);
	add_percentile(json, 90, NULL);
	add_percentile(json, 99, NULL);
	add_percentile(json, 99.9, "999");
	for (uint32_t i = 0; i < options->percentile_count; i++)
		add_percentile(json, options->percentiles[i], NULL);
	*printer = &json->printer;
	return 0;
}
