/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events in the machine format; for output/ only. */
#ifndef STORPROTOTRACE_EVENT_JSON_H
#define STORPROTOTRACE_EVENT_JSON_H

#include "common/reading.h"
#include "output/json_object.h"

/* The event's line: its numbers, and the names they have. `r` names sessions and LUNs. */
struct json_object *event_json(const struct event *event, const struct reading *r);

/* What a command or a turn of a session adds in words. */
void event_json_command(struct json_object *object, const struct event *event);
void event_json_session(struct json_object *object, const struct event *event);

#endif
