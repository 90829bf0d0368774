/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The hooks: which kernel function each is on, with which programs; and their order. */
#ifndef STORPROTOTRACE_HOOK_TABLE_H
#define STORPROTOTRACE_HOOK_TABLE_H

#include <stdbool.h>
#include "iscsi_bpf/wire.h"

struct hook {
	const char *function;
	const char *fentry; /* program names; NULL: the hook has none of this kind */
	const char *fexit;
	const char *kprobe;
	const char *kretprobe;
	const char *tracepoint;
	const char *tracepoint_name;
	const char *kprobe_claim; /* instead of kprobe where BPF has no compare-and-exchange */
};

extern const struct hook hook_table[HOOK_COUNT];

/* Does it see commands? Else it sees sessions. */
static inline bool hook_of_command(enum hook_id id)
{
	return id < HOOK_COMMAND_COUNT;
}

/* The order to attach in; detach in reverse. */
extern const enum hook_id hook_order[HOOK_COUNT];

/* For messages: the function, or the tracepoint's name. */
const char *hook_name(enum hook_id id);

#endif
