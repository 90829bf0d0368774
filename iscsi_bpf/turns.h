/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns of sessions' lives: from the BPF side's ring into a reading's events. */
#ifndef STORPROTOTRACE_TURNS_H
#define STORPROTOTRACE_TURNS_H

#include "common/reading.h"
#include "iscsi_bpf/names.h"
#include "iscsi_bpf/turn.h"

#ifdef __cplusplus
extern "C" {
#endif

struct turns {
	struct reading *reading; /* what is found goes here */
	bool login;		 /* a session logged in since the user last cleared it */
};

/* A struct turn that the BPF side left in the ring; the callback of its ring_buffer. 0 or -errno.
 */
int turns_take(void *turns, void *data, size_t size);

/*
 * Once the reading has its sessions: gives events the connection's id where the kernel did not say
 * it, and drops those of sessions that are not traced for their transport.
 */
void turns_finish(struct reading *r, const struct names *names);

#ifdef __cplusplus
}
#endif

#endif
