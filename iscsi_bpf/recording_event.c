// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events to and from the lines of a recording, by the table of their members. */
#include "iscsi_bpf/recording_event.h"

#include <errno.h>
#include "common/common.h"

/* NULL as a value is JSON's null. */
static struct json_object *number_or_null(bool known, uint64_t number)
{
	return known ? json_object_new_uint64(number) : NULL;
}

struct json_object *recording_event(const struct event *event)
{
	struct json_object *object = json_object_new_object(), *stages;

	json_object_object_add(object, "type",
			       json_object_new_string(event_type_name(event->type)));
	for (size_t i = 0; i < event_member_count; i++) {
		const struct event_member *member = &event_members[i];
		uint64_t number;
		bool known = event_get(event, member, &number);

		if (member->types >> event->type & 1)
			json_object_object_add(object, member->name, number_or_null(known, number));
	}
	if (event->type != EVENT_COMMAND)
		return object;
	stages = json_object_new_array_ext(STAGE_COUNT);
	json_object_object_add(object, "stages", stages);
	for (int i = 0; i < STAGE_COUNT; i++)
		json_object_array_add(stages, number_or_null(event->stage_ns[i] != EVENT_NONE,
							     event->stage_ns[i]));
	return object;
}

/* A member that is not there or null is not known: older recordings had fewer. */
static void take_member(struct members *m, struct event *event, const struct event_member *member)
{
	struct json_object *value = NULL;
	uint64_t number;

	json_object_object_get_ex(m->object, member->name, &value);
	if (!value)
		return;
	if (json_number(value, member->wide ? UINT64_MAX : UINT32_MAX, &number))
		event_set(event, member, number);
	else
		m->bad = member->name;
}

static void take_stages(struct members *m, struct event *event)
{
	struct json_object *stages = members_array(m, "stages", STAGE_COUNT);

	if (!stages || json_object_array_length(stages) != STAGE_COUNT) {
		m->bad = "stages";
		return;
	}
	for (int i = 0; i < STAGE_COUNT; i++) {
		struct json_object *value = json_object_array_get_idx(stages, i);

		if (value && !json_number(value, UINT64_MAX, &event->stage_ns[i]))
			m->bad = "stages";
	}
}

/* Numbers that are looked up in tables of names, and those without which there is nothing to say.
 */
static void check_choices(struct members *m, const struct event *event)
{
	if (event->time_ns == EVENT_NONE)
		m->bad = "time_ns";
	else if (event->sid == EVENT_NONE_32)
		m->bad = "sid";
	else if (event->type == EVENT_SESSION && !session_turn_name(event->turn))
		m->bad = "turn";
	else if (event->type != EVENT_SESSION && event->op >= OP_COUNT)
		m->bad = "op";
	else if (event->type != EVENT_SESSION && event->stage >= STAGE_TOTAL)
		m->bad = "stage";
	else if (event->type == EVENT_COMMAND && event->stage_ns[STAGE_TOTAL] == EVENT_NONE)
		m->bad = "stages";
	else if (event->type == EVENT_STUCK && event->age_ns == EVENT_NONE)
		m->bad = "age_ns";
}

int recording_take_event(struct members *m, struct reading *r)
{
	uint32_t type = members_choice(m, "type", event_type_name, EVENT_TYPE_COUNT);
	struct event *event;

	if (m->bad)
		return 0;
	event = reading_event(r, type);
	if (!event)
		return -ENOMEM;
	for (size_t i = 0; i < event_member_count; i++)
		if (event_members[i].types >> type & 1)
			take_member(m, event, &event_members[i]);
	if (type == EVENT_COMMAND)
		take_stages(m, event);
	if (!m->bad)
		check_choices(m, event);
	return 0;
}
