/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events of single commands, made from what the BPF side or the sweep says of them. */
#ifndef STORPROTOTRACE_COMMAND_EVENT_H
#define STORPROTOTRACE_COMMAND_EVENT_H

#include "common/reading.h"
#include "iscsi_bpf/slot.h"
#include "iscsi_bpf/stages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No command is slower than this. */
#define SLOWER_NONE UINT64_MAX

/* Of one reading no more are kept (some 250 MB); the others count as LOSS_EVENT_FULL. */
#define COMMAND_EVENTS_MAX (1U << 20)

struct command_events {
	uint64_t slower_ns; /* commands whose total is less have no event; 0: all have one */
	uint64_t wall_ns;   /* CLOCK_REALTIME - CLOCK_MONOTONIC */
	/* Good commands go to `resting` if they were added to the generation `generation`. */
	uint32_t generation;
	struct reading *resting;
	struct reading *next; /* ... and else to this */
};

/*
 * Adds the event of a command that has ended, unless it took less than is asked for. `c` lies in a
 * struct slot or struct command whose detail is filled in; `t` are its stages. 0 or -ENOMEM.
 */
int command_event_add(const struct command_events *events, struct reading *r,
		      const struct inflight *c, const struct stage_times *t);

/* A good command from the ring `events`: the callback of its ring_buffer. 0 or -errno. */
int command_event_ended(void *events, void *data, size_t size);

/* What any event says of a command: who, what, which attempts. `c` as above. */
void command_event_fill(struct event *event, const struct inflight *c);

#ifdef __cplusplus
}
#endif

#endif
