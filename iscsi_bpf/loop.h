/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The one loop: waits for intervals and signals, reads the source, hands records on. */
#ifndef STORPROTOTRACE_LOOP_H
#define STORPROTOTRACE_LOOP_H

#include <signal.h>
#include "common/options.h"
#include "common/sink.h"
#include "iscsi_bpf/source.h"

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
	uint64_t losses[LOSS_COUNT]; /* of all intervals, as far as they know them */
	bool record_failed;          /* the recording could not be written: the reason it stopped */
};

/*
 * Runs until the options' count, a signal (the interval begun is still handed on), the recording's
 * end, or the sink stops it. Fills *result. 0 after a clean stop, or -errno.
 */
int loop_run(struct source *source, const struct options *options, struct sink *sink,
	     struct loop_result *result);

#endif
