// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What was said of commands in flight, and whether there is more to say. */
#include "iscsi_bpf/stuck.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "iscsi_bpf/command_event.h"
#include "iscsi_bpf/names_sysfs.h"

static uint32_t session_state(const struct stuck *stuck, uint32_t sid)
{
	char folder[PATH_MAX], text[32];

	snprintf(folder, sizeof(folder), "%s/class/iscsi_session/session%u", stuck->root, sid);
	sysfs_text(folder, "state", text, sizeof(text));
	for (uint32_t state = 0; state < SESSION_STATE_COUNT; state++)
		if (!strcmp(text, session_state_name(state)))
			return state;
	return EVENT_NONE_32;
}

/* Places only grow within a walk, so both lists are gone through once. NULL: nothing was said. */
static const struct stuck_said *said_before(struct stuck *stuck, const struct stuck_found *found)
{
	const struct stuck_list *before = &stuck->before;

	while (stuck->cursor < before->count && before->said[stuck->cursor].place < found->place)
		stuck->cursor++;
	if (stuck->cursor == before->count)
		return NULL;
	if (before->said[stuck->cursor].sc != found->sc ||
	    before->said[stuck->cursor].first_ns != found->command->first_ns)
		return NULL;
	return &before->said[stuck->cursor];
}

static int remember(struct stuck_list *list, const struct stuck_said *said)
{
	size_t capacity = list->capacity ? 2 * list->capacity : 64;
	struct stuck_said *grown;

	if (list->count == list->capacity) {
		grown = realloc(list->said, capacity * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		list->said = grown;
		list->capacity = capacity;
	}
	list->said[list->count++] = *said;
	return 0;
}

static int say(const struct stuck *stuck, const struct stuck_found *found,
	       const struct stuck_said *said, struct reading *r)
{
	struct event *event = reading_event(r, EVENT_STUCK);

	if (!event)
		return -ENOMEM;
	command_event_fill(event, found->command);
	event->time_ns = found->now_ns + found->wall_ns;
	event->age_ns = said->age_ns;
	event->stage = said->stage;
	event->session_state = session_state(stuck, event->sid);
	return 0;
}

int stuck_look(struct stuck *stuck, const struct stuck_found *found, struct reading *r)
{
	const struct inflight *c = found->command;
	uint64_t start_ns = c->start_ns ? c->start_ns : c->first_ns;
	struct stuck_said said = {.sc = found->sc,
				  .first_ns = c->first_ns,
				  .stage = found->stage,
				  .place = found->place};
	const struct stuck_said *before;
	int err;

	said.age_ns = found->now_ns > start_ns ? found->now_ns - start_ns : 0;
	if (!stuck->older_ns || said.age_ns < stuck->older_ns)
		return 0;
	before = said_before(stuck, found);
	if (before && before->stage == said.stage && said.age_ns / 2 < before->age_ns)
		return remember(&stuck->now, before);
	err = say(stuck, found, &said, r);
	return err ? err : remember(&stuck->now, &said);
}

void stuck_walked(struct stuck *stuck)
{
	struct stuck_list spare = stuck->before;

	stuck->before = stuck->now;
	stuck->now = spare;
	stuck->now.count = 0;
	stuck->cursor = 0;
}

void stuck_deinit(struct stuck *stuck)
{
	free(stuck->before.said);
	free(stuck->now.said);
	stuck->before = stuck->now = (struct stuck_list){0};
}
