/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The one loop: waits for intervals and signals, reads the source, hands records on. */
#ifndef STORPROTOTRACE_LOOP_H
#define STORPROTOTRACE_LOOP_H

#include "common/options.h"
#include "common/sink.h"
#include "iscsi_bpf/source.h"

struct loop_result {
	uint64_t losses[LOSS_COUNT]; /* of all intervals, as far as they know them */
	bool record_failed;	     /* the recording could not be written: the reason it stopped */
};

/*
 * Runs until the options' count, a signal (the interval begun is still handed on), the recording's
 * end, or the sink stops it. Fills *result. 0 after a clean stop, or -errno.
 */
int loop_run(struct source *source, const struct options *options, struct sink *sink,
	     struct loop_result *result);

#endif
