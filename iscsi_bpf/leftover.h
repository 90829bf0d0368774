/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Commands that did not end well: counted in flight, or closed once their request is gone. */
#ifndef STORPROTOTRACE_LEFTOVER_H
#define STORPROTOTRACE_LEFTOVER_H

#include "common/reading.h"
#include "iscsi_bpf/command_event.h"
#include "iscsi_bpf/names.h"
#include "iscsi_bpf/stuck.h"
#include "iscsi_bpf/wire.h"

struct iscsi_stats_bpf;

struct leftover {
	struct iscsi_stats_bpf *skel;
	const struct names *names;
	const struct slot *slots; /* the table of commands in flight, mapped */
	size_t slot_count;
	struct reading *reading; /* what is found goes here */
	bool hists_by_lun;
	uint64_t max_age_ns; /* entries older than this are given up */
	const struct command_events *events;
	struct stuck *stuck; /* commands in flight for long */
};

/*
 * Goes through the in-flight table once: counts what is in flight by key, closes what ended badly
 * and was not tried again, gives up what cannot end any more (counted as stale). 0 or -errno.
 */
int leftover_sweep(struct leftover *leftover);

/* A command that the BPF side left in the ring; the callback of its ring_buffer. 0 or -errno. */
int leftover_ended(void *leftover, void *data, size_t size);

#endif
