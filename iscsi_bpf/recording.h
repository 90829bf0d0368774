/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The format of recordings, as far as the writing and the reading side share it. */
#ifndef STORPROTOTRACE_RECORDING_H
#define STORPROTOTRACE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One JSON object per line. Headers, at the beginning and wherever a recorder began to append:
 *   {"storprototrace_recording":1}
 * and one line per reading, everything at the finest keys:
 *   {"reading":{"number","start_ns","length_ns","stages_known":["block",..],"hists_by_lun",
 *     "loss":{"map_full":0|null,..},
 *     "sessions":[{"sid","cid","target","initiator","portal","cmds_max","cmdsn_window",
 *      "nops":[count,sum_ns,max_ns,lost] if there were any},..],
 *     "luns":[{"sid","lun","disk","devno","dm","mpath","queue_depth"},..]}, gauges if known,
 *    "rows":[{"sid","cid","lun","op","size","inflight",
 *      "inflight_stages":{"busy":[count,oldest_ns],.. without empty ones},<counters>,
 *      "stages":{"block":[sum_ns,max_ns],..},"phase_max_ns":[..]},..],
 *    "hists":[{"sid","cid","lun","op","size","stages":{"block":[[bucket,count],..],..}},..],
 *    "events":[{"type",<see recording_event.h>},..]}   (absent where there were none)
 * Members that a reader does not know are passed over; a change that is no addition makes a new
 * version.
 */
#define RECORDING_MARK	  "storprototrace_recording"
#define RECORDING_VERSION 1

/* A counter of struct sums: its name here and where it is. */
struct recording_counter {
	const char *name;
	size_t offset;
	bool optional; /* older recordings lack it: 0 */
};

#define RECORDING_COUNTERS 15
extern const struct recording_counter recording_counters[RECORDING_COUNTERS];

#endif
