// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The published C interface: a thin skin over source and loop, for one tracer per process. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "common/log.h"
#include "common/options.h"
#include "iscsi_bpf/iscsi_stats_ebpf.h"
#include "iscsi_bpf/loop.h"
#include "iscsi_bpf/signals.h"
#include "iscsi_bpf/source.h"

/* The published interface has no handle to keep this in. */
static struct source *loaded;
static sigset_t signals_before; /* the caller's mask, given back after the loop */

struct handler_sink {
	struct sink sink;
	int (*handle)(struct iscsi_stats *stats);
};

static int handle_records(struct sink *sink, const struct reading *r,
			  const struct records *records)
{
	struct handler_sink *handler = (struct handler_sink *)sink;

	(void)r;
	for (size_t i = 0; i < records->count; i++) {
		int err = handler->handle(&records->records[i]);

		if (err < 0)
			return err;
		/* print_stats() cannot say that a write failed. */
		if (ferror(stdout))
			return -EIO;
	}
	return 0;
}

bool iscsi_stats_ebpf_load_and_attach(void)
{
	if (loaded)
		return true;
	signals_block(&signals_before);
	if (!source_open(options_process(), &loaded))
		return true;
	sigprocmask(SIG_SETMASK, &signals_before, NULL);
	return false;
}

bool iscsi_stats_ebpf_loop(int (*handle)(struct iscsi_stats *stats))
{
	struct handler_sink sink = {.sink.interval = handle_records, .handle = handle};
	struct loop_result result;
	int err;

	if (!handle) {
		log_error("handler of records: none was given");
		return false;
	}
	if (!iscsi_stats_ebpf_load_and_attach())
		return false;
	err = loop_run(loaded, options_process(), &sink.sink, &result);
	source_close(loaded);
	loaded = NULL;
	sigprocmask(SIG_SETMASK, &signals_before, NULL);
	if (err)
		log_error("loop: stopped: %s", strerror(-err));
	return !err;
}
