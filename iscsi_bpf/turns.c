// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns as events: on the wall clock, with the session's connection. */
#include "iscsi_bpf/turns.h"

#include <errno.h>
#include <time.h>
#include "iscsi_bpf/unwanted.h"

_Static_assert(TURN_NONE == EVENT_NONE && TURN_NONE_32 == EVENT_NONE_32, "both say: not known");

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

int turns_take(void *arg, void *data, size_t size)
{
	struct turns *turns = arg;
	const struct turn *t = data;
	struct event *event;

	if (size < sizeof(*t))
		return -EBADMSG;
	event = reading_event(turns->reading, EVENT_SESSION);
	if (!event)
		return -ENOMEM;
	/* As old now on either clock. */
	event->time_ns = now_ns(CLOCK_REALTIME) - (now_ns(CLOCK_MONOTONIC) - t->time_ns);
	event->sid = t->sid;
	event->cid = t->cid;
	event->lun = t->lun;
	event->turn = t->turn;
	event->code = t->code;
	event->outcome = t->outcome;
	event->duration_ns = t->duration_ns;
	turns->login |= t->turn == SESSION_LOGIN;
	return 0;
}

void turns_finish(struct reading *r, const struct names *names)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->event_count; i++) {
		struct event *event = &r->events[i];
		const struct session_name *session = reading_find_session(r, event->sid);

		if (event->type == EVENT_SESSION && event->cid == EVENT_NONE_32 && session)
			event->cid = session->cid;
		if (event->type != EVENT_SESSION ||
		    unwanted_transport_traced(names_transport(names, event->sid)))
			r->events[kept++] = *event;
	}
	r->event_count = kept;
}
