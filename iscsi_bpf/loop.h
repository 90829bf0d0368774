/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The one loop: waits for intervals and signals, reads the source, hands records on. */
#ifndef STORPROTOTRACE_LOOP_H
#define STORPROTOTRACE_LOOP_H

#include <signal.h>
#include "common/group.h"
#include "common/options.h"
#include "iscsi_bpf/source.h"

/* Something else that the loop waits for. */
struct loop_watch {
	int fd;
	/* Called while fd is readable. 0; others as of loop_sink.interval(). NULL: no watch. */
	int (*ready)(void *arg);
	void *arg;
};

/* Where an interval's records go. */
struct loop_sink {
	/* 0 goes on; -ECANCELED stops cleanly; other -errno stops and is returned by loop_run(). */
	int (*interval)(struct loop_sink *sink, const struct reading *r,
			const struct records *records);
	/* HUP: open files anew. NULL: there are none, HUP ends the loop. 0 or -errno. */
	int (*reopen)(struct loop_sink *sink);
	struct loop_watch watch;
	bool paced; /* a recording's intervals take as long as they took, instead of no time */
};

/*
 * Signals the loop takes (INT, TERM, HUP; not those ignored at the start) are blocked from here on,
 * so that none is lost between loading and the loop. Call before source_open(). `before`, unless
 * NULL, gets the mask as it was.
 */
void loop_block_signals(sigset_t *before);

/*
 * Waits at most so long for one of the blocked signals. True when one came: the program is to end.
 * For waits before there is a loop.
 */
bool loop_stop_requested(unsigned int milliseconds);

struct loop_result {
	uint64_t losses[LOSS_COUNT]; /* of all intervals */
	bool record_failed;          /* the recording could not be written: the reason it stopped */
};

/*
 * Runs until the options' count, a signal (the interval begun is still handed on), the recording's
 * end, or the sink stops it. Fills *result. 0 after a clean stop, or -errno.
 */
int loop_run(struct source *source, const struct options *options, struct loop_sink *sink,
	     struct loop_result *result);

#endif
