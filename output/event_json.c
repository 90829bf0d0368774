// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events in the machine format: by the table of their members, then in words. */
#include "output/event_json.h"

#include <string.h>
#include "common/common.h"

/* Said in words, or in the line's own "time". */
static bool in_words(const char *name)
{
	static const char *const names[] = {"time_ns", "op",	"turn",
					    "outcome", "stage", "session_state"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void add_members(struct json_object *object, const struct event *event)
{
	for (size_t i = 0; i < event_member_count; i++) {
		const struct event_member *member = &event_members[i];
		uint64_t number;

		if (!(member->types >> event->type & 1) || in_words(member->name))
			continue;
		if (event_get(event, member, &number))
			json_add_count(object, member->name, number);
		else
			json_add_null(object, member->name);
	}
}

static void add_names(struct json_object *object, const struct event *event,
		      const struct reading *r)
{
	const struct session_name *session = reading_find_session(r, event->sid);
	const struct lun_name *lun = reading_find_lun(r, event->sid, event->lun);

	json_add_text(object, "target", session ? session->target : "");
	json_add_text(object, "initiator", session ? session->initiator : "");
	json_add_text(object, "portal", session ? session->portal : "");
	if (event->lun != EVENT_NONE)
		json_add_text(object, "disk", lun ? lun->disk : "");
}

struct json_object *event_json(const struct event *event, const struct reading *r)
{
	struct json_object *object = json_open_object(event_type_name(event->type), event->time_ns);

	add_members(object, event);
	add_names(object, event, r);
	if (event->type == EVENT_SESSION)
		event_json_session(object, event);
	else
		event_json_command(object, event);
	return object;
}
