/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A reading: everything one interval gave, at the finest keys; live or from a recording. */
#ifndef STORPROTOTRACE_READING_H
#define STORPROTOTRACE_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "common/event.h"
#include "common/session.h"
#include "common/sums.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Commands in flight in one stage at the end of an interval. */
struct inflight_stage {
	uint64_t count;
	uint64_t oldest_ns; /* age of the oldest since its request was made; 0: there is none */
};

/* Commands of one key in one interval. */
struct reading_row {
	struct sums_key key;
	struct sums sums;
	uint32_t inflight; /* commands started and not ended at the end of the interval */
	/* the same by the stage each is in; counts add up to `inflight`, or all 0: not recorded */
	struct inflight_stage stages[STAGE_TOTAL];
};

/* Histograms of one key; key.lun is LUN_ANY when not split by LUN. */
struct reading_hist {
	struct sums_key key;
	uint64_t bucket[STAGE_COUNT][LAT_HIST_BUCKETS];
};

/* The kernel does not count this loss here: printed as null / "-". */
#define LOSS_UNKNOWN UINT64_MAX

/* Private to reading_index.c: where the keys of one array are. */
struct reading_index {
	uint32_t *slots;   /* position in the array + 1; 0: free */
	size_t slot_count; /* a power of two */
	size_t indexed;	   /* items of the array that are in it */
	size_t capacity;   /* items the array has room for */
};

/*
 * Owns all its arrays. Rows are in no order, at most one per key; a row without commands may be
 * there for what is in flight. Sessions and LUNs are all that existed in the interval, idle or not.
 */
struct reading {
	uint64_t number;       /* interval's number from 1 */
	uint64_t start_ns;     /* CLOCK_REALTIME */
	uint64_t length_ns;    /* the real length, measured on CLOCK_MONOTONIC */
	uint32_t stages_known; /* bit per stage: what the attached hooks can tell apart */
	bool hists_by_lun;     /* histogram keys carry the LUN */
	uint64_t loss[LOSS_COUNT];
	struct reading_row *rows;
	size_t row_count;
	struct reading_hist *hists;
	size_t hist_count;
	struct session_name *sessions;
	size_t session_count;
	struct lun_name *luns;
	size_t lun_count;
	struct event *events; /* in the order in which they were seen */
	size_t event_count;
	size_t event_capacity; /* private */
	/* private: arrays grow through the functions below only */
	struct reading_index row_index;
	struct reading_index hist_index;
	struct reading_index session_index;
	struct reading_index lun_index;
};

/* All stages can be told apart. */
#define STAGES_ALL_KNOWN ((1U << STAGE_COUNT) - 1)

/* Empty; no allocation. */
void reading_init(struct reading *r);

/* Frees what it owns and leaves it empty. NULL is fine. */
void reading_deinit(struct reading *r);

/*
 * The row (histogram) of a key, added zeroed when missing. Owned by the reading; the pointer is
 * good until the next addition. NULL: out of memory.
 */
struct reading_row *reading_row(struct reading *r, const struct sums_key *key);
struct reading_hist *reading_hist(struct reading *r, const struct sums_key *key);

/* The entry for sid (sid and lun), added zeroed with its ids set when missing. As above. */
struct session_name *reading_session(struct reading *r, uint32_t sid);
struct lun_name *reading_lun(struct reading *r, uint32_t sid, uint64_t lun);

/* A new event at the end, with nothing known but its type. As above. */
struct event *reading_event(struct reading *r, enum event_type type);

/* Brings the events into the order of their times: they come from several rings. */
void reading_order_events(struct reading *r);

/* The same, but only found, never added: NULL when missing. */
const struct session_name *reading_find_session(const struct reading *r, uint32_t sid);
const struct lun_name *reading_find_lun(const struct reading *r, uint32_t sid, uint64_t lun);

/*
 * Adds a later reading to an earlier one: counters and histograms add up, maxima are the larger,
 * losses add up (unknown stays unknown), in-flight, events and names are the later one's; start is
 * the earlier's, length adds up, number is the later's. 0 or -ENOMEM (then dst is not usable).
 */
int reading_merge(struct reading *dst, const struct reading *src);

/* The same, but both's events: the two become one interval. */
int reading_join(struct reading *dst, const struct reading *src);

/* Add sums: counters add up, maxima are the larger. */
void sums_add(struct sums *dst, const struct sums *src);
void nops_add(struct nop_sums *dst, const struct nop_sums *src);

/*
 * Do a row's counters agree with each other: ios = good + errors, the nine stages = total?
 * A reading for which they do not was torn while it was taken.
 */
bool sums_consistent(const struct sums *s);

/* Name of a loss as in the machine format, e.g. "map_full"; never NULL for a valid loss. */
const char *loss_name(enum iscsi_loss loss);

#ifdef __cplusplus
}
#endif

#endif
