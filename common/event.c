// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events: their numbers as a table, and the names of what they say. */
#include "common/event.h"

#include <string.h>

#define COMMAND (1U << EVENT_COMMAND)
#define STUCK	(1U << EVENT_STUCK)
#define SESSION (1U << EVENT_SESSION)
#define NUMBER(member, types)                                                                      \
	{                                                                                          \
#member, types, sizeof(((struct event *)0)->member) == sizeof(uint64_t),           \
			offsetof(struct event, member)                                             \
	}

const struct event_member event_members[] = {
	NUMBER(time_ns, COMMAND | STUCK | SESSION),
	NUMBER(sid, COMMAND | STUCK | SESSION),
	NUMBER(cid, COMMAND | STUCK | SESSION),
	NUMBER(lun, COMMAND | STUCK | SESSION),
	NUMBER(op, COMMAND | STUCK),
	NUMBER(turn, SESSION),
	NUMBER(code, SESSION),
	NUMBER(outcome, SESSION),
	NUMBER(duration_ns, SESSION),
	NUMBER(opcode, COMMAND | STUCK),
	NUMBER(service_action, COMMAND | STUCK),
	NUMBER(lba, COMMAND | STUCK),
	NUMBER(blocks, COMMAND | STUCK),
	NUMBER(length, COMMAND | STUCK),
	NUMBER(bytes, COMMAND),
	NUMBER(result, COMMAND),
	NUMBER(sense, COMMAND),
	NUMBER(attempts, COMMAND | STUCK),
	NUMBER(refused, COMMAND | STUCK),
	NUMBER(pdus, COMMAND | STUCK),
	NUMBER(r2ts, COMMAND | STUCK),
	NUMBER(itt, COMMAND | STUCK),
	NUMBER(cmdsn, COMMAND | STUCK),
	NUMBER(cpu_submit, COMMAND),
	NUMBER(cpu_transmit, COMMAND),
	NUMBER(cpu_complete, COMMAND),
	NUMBER(stage, COMMAND | STUCK),
	NUMBER(session_state, STUCK),
	NUMBER(age_ns, STUCK),
};

const size_t event_member_count = sizeof(event_members) / sizeof(event_members[0]);

bool event_get(const struct event *event, const struct event_member *member, uint64_t *out)
{
	const char *at = (const char *)event + member->offset;
	uint32_t narrow;

	if (member->wide) {
		memcpy(out, at, sizeof(*out));
		return *out != EVENT_NONE;
	}
	memcpy(&narrow, at, sizeof(narrow));
	*out = narrow;
	return narrow != EVENT_NONE_32;
}

void event_set(struct event *event, const struct event_member *member, uint64_t value)
{
	char *at = (char *)event + member->offset;
	uint32_t narrow = (uint32_t)value;

	if (member->wide)
		memcpy(at, &value, sizeof(value));
	else
		memcpy(at, &narrow, sizeof(narrow));
}

void event_init(struct event *event, enum event_type type)
{
	/* EVENT_NONE of either width. */
	memset(event, 0xff, sizeof(*event));
	event->type = type;
}

const char *event_type_name(uint32_t type)
{
	static const char *const names[EVENT_TYPE_COUNT] = {
		[EVENT_COMMAND] = "command",
		[EVENT_STUCK] = "stuck",
		[EVENT_SESSION] = "session",
	};

	return type < EVENT_TYPE_COUNT ? names[type] : NULL;
}

const char *session_state_name(uint32_t state)
{
	static const char *const names[SESSION_STATE_COUNT] = {
		[SESSION_LOGGED_IN] = "LOGGED_IN",
		[SESSION_FAILED] = "FAILED",
		[SESSION_FREE] = "FREE",
	};

	return state < SESSION_STATE_COUNT ? names[state] : NULL;
}
