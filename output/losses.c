/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a run lost or degraded, said in sentences. */
#include <inttypes.h>
#include "common/log.h"
#include "output/printer.h"

static const struct {
	const char *text; /* what is counted and why */
	const char *hint; /* NULL: nothing the user can do */
} meanings[LOSS_COUNT] = {
	[LOSS_MAP_FULL] = {"commands not followed, the table of commands in flight was full",
			   "a larger --max-inflight gives it room"},
	[LOSS_KEYS_FULL] = {"commands not counted, the table of counters was full",
			    "a larger --max-keys gives it room"},
	[LOSS_RING_FULL] = {"failed commands or NOPs not counted, a ring buffer was full",
			    "a shorter interval empties it more often"},
	[LOSS_NO_START] = {"commands not counted, their start was not seen", NULL},
	[LOSS_STALE] = {"commands not counted, their end was not seen", NULL},
	[LOSS_MISSING_STAMP] = {"commands with a stage not seen, the stage before has its time",
				NULL},
	[LOSS_CLAMPED] = {"time stamps out of order, pulled back to their successor", NULL},
	[LOSS_MISMATCH] = {"commands whose stages do not add up to their total", NULL},
	[LOSS_TORN] = {"readings whose counters did not agree with each other", NULL},
	[LOSS_PROBE_MISSES] = {"hook hits that the kernel skipped", NULL},
	[LOSS_EVENT_FULL] = {"events not told, there was no room for so many",
			     "of commands a larger --slower asks for fewer"},
};

const char *loss_meaning(enum iscsi_loss loss)
{
	return meanings[loss].text;
}

void losses_warn(const uint64_t loss[LOSS_COUNT])
{
	for (int i = 0; i < LOSS_COUNT; i++) {
		if (loss[i] == 0 || loss[i] == LOSS_UNKNOWN)
			continue;
		log_warn("%s: %" PRIu64 " (%s)", meanings[i].text, loss[i], loss_name(i));
		if (meanings[i].hint)
			log_hint("%s", meanings[i].hint);
	}
}
