/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The machine format's members as a flat list. */
#include "output/member.h"

#include <stdio.h>
#include <string.h>

static void get_time(const struct member *member, const struct reading *r,
		     const struct iscsi_stats *stats, struct member_value *value)
{
	(void)member;
	(void)r;
	stamp_utc(stats->start_ns + stats->interval_ns, value->stamp);
	value->text = value->stamp;
	value->known = true;
}

static void get_interval(const struct member *member, const struct reading *r,
			 const struct iscsi_stats *stats, struct member_value *value)
{
	(void)member;
	(void)r;
	value->count = stats->interval_ns;
	value->known = true;
}

static void get_field(const struct member *member, const struct reading *r,
		      const struct iscsi_stats *stats, struct member_value *value)
{
	struct field_value taken = {0};

	(void)r;
	member->field->get(member->field, stats, &taken);
	value->known = taken.known;
	value->count = taken.count;
	if (member->field->type == FIELD_STRING)
		value->text = taken.text ? taken.text : "";
}

/* Null in the machine format, all of them: an older recording does not tell. */
static bool inflight_known(const struct iscsi_stats *stats)
{
	return iscsi_oldest_ns(stats) != UINT64_MAX;
}

static void get_inflight_count(const struct member *member, const struct reading *r,
			       const struct iscsi_stats *stats, struct member_value *value)
{
	(void)r;
	value->count = stats->inflight_stages[member->index].count;
	value->known = inflight_known(stats);
}

static void get_inflight_oldest(const struct member *member, const struct reading *r,
				const struct iscsi_stats *stats, struct member_value *value)
{
	(void)r;
	value->count = stats->inflight_stages[member->index].oldest_ns;
	value->known = inflight_known(stats);
}

static void get_op_ios(const struct member *member, const struct reading *r,
		       const struct iscsi_stats *stats, struct member_value *value)
{
	(void)r;
	value->count = stats->ops[member->index].ios;
	value->known = true;
}

static void get_op_bytes(const struct member *member, const struct reading *r,
			 const struct iscsi_stats *stats, struct member_value *value)
{
	(void)r;
	value->count = stats->ops[member->index].bytes;
	value->known = true;
}

/* Null in the machine format, all of it. */
static bool stage_known(const struct iscsi_stats *stats, uint32_t stage)
{
	const struct iscsi_stage_time *time = &stats->stages[stage];

	return time->known && (time->count > 0 || stats->count == 0);
}

static void get_stage_count(const struct member *member, const struct reading *r,
			    const struct iscsi_stats *stats, struct member_value *value)
{
	(void)r;
	value->count = stats->stages[member->index].count;
	value->known = stage_known(stats, member->index);
}

static void get_stage_sum(const struct member *member, const struct reading *r,
			  const struct iscsi_stats *stats, struct member_value *value)
{
	(void)r;
	value->count = stats->stages[member->index].sum_ns;
	value->known = stage_known(stats, member->index);
}

static void get_stage_max(const struct member *member, const struct reading *r,
			  const struct iscsi_stats *stats, struct member_value *value)
{
	(void)r;
	value->count = stats->stages[member->index].max_ns;
	value->known = stage_known(stats, member->index);
}

static void get_stage_percentile(const struct member *member, const struct reading *r,
				 const struct iscsi_stats *stats, struct member_value *value)
{
	(void)r;
	value->known = stage_known(stats, member->index) &&
		       !iscsi_percentile(stats, member->index, member->percent, &value->count);
}

/* A phase of which no stage can be told apart is not known either. */
static bool phase_known(const struct iscsi_stats *stats, uint32_t phase)
{
	const struct iscsi_stage_time *stages = &stats->stages[3 * phase];

	return stages[0].known || stages[1].known || stages[2].known;
}

static void get_phase_sum(const struct member *member, const struct reading *r,
			  const struct iscsi_stats *stats, struct member_value *value)
{
	const uint64_t sums[PHASE_COUNT] = {stats->waiting, stats->sending, stats->complete};

	(void)r;
	value->count = sums[member->index];
	value->known = phase_known(stats, member->index);
}

static void get_phase_max(const struct member *member, const struct reading *r,
			  const struct iscsi_stats *stats, struct member_value *value)
{
	const uint64_t maxima[PHASE_COUNT] = {stats->max_waiting, stats->max_sending,
					      stats->max_complete};

	(void)r;
	value->count = maxima[member->index];
	value->known = phase_known(stats, member->index);
}

static void get_loss(const struct member *member, const struct reading *r,
		     const struct iscsi_stats *stats, struct member_value *value)
{
	(void)stats;
	value->count = r->loss[member->index];
	value->known = value->count != LOSS_UNKNOWN;
}

/* "owner_name", or only one of both where the other is empty. A second of a name is left out. */
static struct member *add(struct member_list *members, const char *owner, const char *name)
{
	struct member *member = &members->member[members->count];

	if (members->count == MEMBERS_MAX)
		return NULL;
	*member = (struct member){0};
	snprintf(member->name, sizeof(member->name), "%s%s%s", owner, *owner && *name ? "_" : "",
		 name);
	if (members_find(members, member->name, strlen(member->name)))
		return NULL;
	members->count++;
	return member;
}

/* One of several that are told apart by their index. */
#define ADD(members, owner, name, getter, which)                                                   \
	do {                                                                                       \
		struct member *added = add(members, owner, name);                                  \
                                                                                                   \
		if (added) {                                                                       \
			added->get = getter;                                                       \
			added->index = which;                                                      \
		}                                                                                  \
	} while (0)

static void add_fields(struct member_list *members, uint32_t keys)
{
	for (size_t i = 0; i < field_count; i++) {
		struct member *member;

		if (!fields[i].json || (fields[i].keys && !(fields[i].keys & keys)))
			continue;
		member = add(members, fields[i].json, "");
		if (!member)
			continue;
		member->get = get_field;
		member->field = &fields[i];
	}
}

static void add_percentile(struct member_list *members, uint32_t stage, double percent,
			   const char *written)
{
	char text[16], name[24];
	struct member *member;

	field_percent_text(percent, '_', text, sizeof(text));
	snprintf(name, sizeof(name), "p%s_ns", written ? written : text);
	member = add(members, iscsi_stage_name(stage), name);
	if (!member)
		return;
	member->get = get_stage_percentile;
	member->index = stage;
	member->percent = percent;
}

static void add_stage(struct member_list *members, uint32_t stage, const struct options *options)
{
	const char *owner = iscsi_stage_name(stage);

	ADD(members, owner, "count", get_stage_count, stage);
	ADD(members, owner, "sum_ns", get_stage_sum, stage);
	ADD(members, owner, "max_ns", get_stage_max, stage);
	add_percentile(members, stage, 50, NULL);
	add_percentile(members, stage, 90, NULL);
	add_percentile(members, stage, 99, NULL);
	add_percentile(members, stage, 99.9, "999");
	for (uint32_t i = 0; i < options->percentile_count; i++)
		add_percentile(members, stage, options->percentiles[i], NULL);
}

/* "inflight_stages_target_count", "inflight_stages_target_oldest_ns", ... */
static void add_inflight(struct member_list *members, uint32_t stage)
{
	char owner[32];

	snprintf(owner, sizeof(owner), "inflight_stages_%s", iscsi_stage_name(stage));
	ADD(members, owner, "count", get_inflight_count, stage);
	ADD(members, owner, "oldest_ns", get_inflight_oldest, stage);
}

void members_init(struct member_list *members, const struct options *options)
{
	static const char *const phases[PHASE_COUNT] = {"waiting", "sending", "complete"};

	members->count = 0;
	ADD(members, "time", "", get_time, 0);
	ADD(members, "interval_ns", "", get_interval, 0);
	add_fields(members, group_closure(options->by));
	for (uint32_t op = 0; op < OP_COUNT; op++) {
		ADD(members, iscsi_op_name(op), "ios", get_op_ios, op);
		ADD(members, iscsi_op_name(op), "bytes", get_op_bytes, op);
	}
	for (uint32_t stage = STAGE_BUSY; stage < STAGE_TOTAL; stage++)
		add_inflight(members, stage);
	for (uint32_t stage = 0; stage < STAGE_COUNT; stage++)
		add_stage(members, stage, options);
	for (uint32_t phase = 0; phase < PHASE_COUNT; phase++) {
		ADD(members, phases[phase], "sum_ns", get_phase_sum, phase);
		ADD(members, phases[phase], "max_ns", get_phase_max, phase);
	}
	for (uint32_t loss = 0; loss < LOSS_COUNT; loss++)
		ADD(members, "loss", loss_name(loss), get_loss, loss);
}

const struct member *members_find(const struct member_list *members, const char *name,
				  size_t length)
{
	for (size_t i = 0; i < members->count; i++) {
		const char *known = members->member[i].name;

		if (strlen(known) == length && memcmp(known, name, length) == 0)
			return &members->member[i];
	}
	return NULL;
}
