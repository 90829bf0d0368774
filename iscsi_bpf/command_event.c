// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From a command's entry to its event. */
#include "iscsi_bpf/command_event.h"

#include <endian.h>
#include <errno.h>

void command_event_fill(struct event *event, const struct inflight *c)
{
	const struct detail *d = inflight_detail(c);
	struct cdb cdb;

	cdb_decode(d->cdb, &cdb);
	event->sid = c->sid;
	event->cid = c->cid;
	event->lun = c->lun;
	event->op = c->op;
	event->opcode = c->opcode;
	event->service_action = cdb.service_action;
	event->lba = cdb.lba;
	event->blocks = cdb.blocks;
	event->length = c->length;
	event->attempts = c->attempts;
	event->refused = c->refused;
	event->pdus = c->pdus;
	event->r2ts = c->r2ts;
	event->itt = be32toh(d->itt);
	event->cmdsn = be32toh(d->cmdsn);
}

static enum iscsi_stage longest(const struct stage_times *t)
{
	enum iscsi_stage stage = STAGE_BLOCK;

	for (int i = STAGE_BLOCK; i < STAGE_TOTAL; i++)
		if (t->ns[i] > t->ns[stage])
			stage = i;
	return stage;
}

int command_event_add(const struct command_events *events, struct reading *r,
		      const struct inflight *c, const struct stage_times *t)
{
	const struct detail *d = inflight_detail(c);
	struct event *event;

	if (events->slower_ns == SLOWER_NONE || t->ns[STAGE_TOTAL] < events->slower_ns)
		return 0;
	if (r->event_count >= COMMAND_EVENTS_MAX) {
		r->loss[LOSS_EVENT_FULL]++;
		return 0;
	}
	event = reading_event(r, EVENT_COMMAND);
	if (!event)
		return -ENOMEM;
	command_event_fill(event, c);
	event->time_ns = c->end_ns + events->wall_ns;
	event->bytes = c->bytes;
	event->result = c->result;
	event->sense = d->sense;
	event->cpu_submit = d->cpu_submit;
	event->cpu_transmit = d->cpu_transmit;
	event->cpu_complete = d->cpu_complete;
	event->stage = longest(t);
	for (int i = 0; i < STAGE_COUNT; i++)
		event->stage_ns[i] = i == STAGE_BLOCK && !c->start_ns ? EVENT_NONE : t->ns[i];
	return 0;
}

int command_event_ended(void *arg, void *data, size_t size)
{
	const struct command_events *events = arg;
	const struct command *command = data;
	struct stage_times t;

	if (size < sizeof(*command))
		return -EBADMSG;
	stages_cut(&command->inflight, &t);
	return command_event_add(events,
				 command->detail.generation == events->generation ? events->resting
										  : events->next,
				 &command->inflight, &t);
}
