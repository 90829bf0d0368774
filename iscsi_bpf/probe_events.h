/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kprobes as tracefs events of this process's own: they have maxactive and count their misses. */
#ifndef STORPROTOTRACE_PROBE_EVENTS_H
#define STORPROTOTRACE_PROBE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Where tracefs is mounted, NULL when it is not or has no kprobe_events. Static storage. Nothing
 * is mounted: the tool never changes the system.
 */
const char *probe_events_dir(void);

/* Removes the events of tracers that died without doing it themselves. */
void probe_events_clear_dead(void);

/*
 * Makes the event "<name>_<pid>" on the kernel function's entry, or on its return, and opens it
 * for a BPF program. Returns the perf event's descriptor, or -errno.
 */
int probe_event_create(const char *name, const char *function, bool on_return);

/* Removes this process's events; they must be closed (links destroyed) first. */
void probe_events_remove(void);

/* Hits of this process's events that the kernel skipped; UINT64_MAX when it does not say. */
uint64_t probe_events_missed(void);

#endif
