/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events in recordings: {"type","time_ns",<the type's members, null: not known>,"stages":[..]}. */
#ifndef STORPROTOTRACE_RECORDING_EVENT_H
#define STORPROTOTRACE_RECORDING_EVENT_H

#include "common/reading.h"
#include "iscsi_bpf/members.h"

/* The event as an object, owned by the caller. NULL: out of memory. */
struct json_object *recording_event(const struct event *event);

/* Adds the event that `m` holds to the reading; m->bad says what is wrong. 0 or -ENOMEM. */
int recording_take_event(struct members *m, struct reading *r);

#endif
