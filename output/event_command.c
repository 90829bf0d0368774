// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A command of its own - slow, stuck, or simply every one - in words. */
#include <stdio.h>
#include "common/common.h"
#include "output/event_json.h"
#include "output/event_line.h"

static const char *stage_key(const struct event *event)
{
	return event->type == EVENT_STUCK ? "stage" : "longest";
}

void event_json_command(struct json_object *object, const struct event *event)
{
	json_add_text(object, "op", iscsi_op_name(event->op));
	json_add_text(object, stage_key(event), iscsi_stage_name(event->stage));
}

void event_words_command(const struct event *event, char *text, size_t size)
{
	snprintf(text, size, "%s: %s", event_type_name(event->type),
		 iscsi_stage_name(event->stage));
}
