/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Commands in flight for long: said once, then when their stage changed or their age has doubled.
 */
#ifndef STORPROTOTRACE_STUCK_H
#define STORPROTOTRACE_STUCK_H

#include "common/reading.h"
#include "iscsi_bpf/slot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was said of a command. */
struct stuck_said {
	uint64_t sc;	   /* its scsi_cmnd, and ... */
	uint64_t first_ns; /* ... its first attempt: together they are that command's only */
	uint64_t age_ns;
	uint32_t stage; /* enum iscsi_stage */
	uint32_t place; /* in the table of commands in flight */
};

struct stuck_list {
	struct stuck_said *said;
	size_t count;
	size_t capacity;
};

/* Zeroed but for the first two, it is ready. */
struct stuck {
	uint64_t older_ns; /* younger commands are not stuck; 0: none is */
	const char *root;  /* where sysfs is, "/sys" */
	/* private: by place, as all walks go */
	struct stuck_list before; /* of the walk before */
	struct stuck_list now;	  /* of this walk */
	size_t cursor;		  /* in `before` */
};

/* A command as the walk found it. */
struct stuck_found {
	uint64_t sc;
	uint64_t now_ns;  /* CLOCK_MONOTONIC */
	uint64_t wall_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC */
	uint32_t place;
	uint32_t stage; /* enum iscsi_stage: the one it is in */
	const struct inflight *command; /* lies in a struct slot, its detail is filled in */
};

/* Adds an event to the reading if there is news of a command in flight. 0 or -ENOMEM. */
int stuck_look(struct stuck *stuck, const struct stuck_found *found, struct reading *r);

/* Ends a walk through the table: what was not found in it has ended and is forgotten. */
void stuck_walked(struct stuck *stuck);

void stuck_deinit(struct stuck *stuck);

#ifdef __cplusplus
}
#endif

#endif
