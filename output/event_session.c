// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A turn of a session's life in words. */
#include <stdio.h>
#include "output/event_json.h"
#include "output/event_line.h"

void event_json_session(struct json_object *object, const struct event *event)
{
	json_add_text(object, "event", session_turn_name(event->turn));
	if (event->outcome != EVENT_NONE_32)
		json_add_text(object, "outcome", event_outcome_name(event->outcome));
}

void event_words_session(const struct event *event, char *text, size_t size)
{
	snprintf(text, size, "%s", session_turn_name(event->turn));
}
