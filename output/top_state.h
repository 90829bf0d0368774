/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the live screen shows, and what a key changes in it; knows nothing of terminals. */
#ifndef STORPROTOTRACE_TOP_STATE_H
#define STORPROTOTRACE_TOP_STATE_H

#include "output/columns.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keys that are no characters. */
enum top_key {
	TOP_KEY_NONE = -1,     /* there is none; also what means nothing here */
	TOP_KEY_UP = 0x110000, /* beyond every character */
	TOP_KEY_DOWN,
	TOP_KEY_LEFT,
	TOP_KEY_RIGHT,
	TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_ENTER,
	TOP_KEY_BACK,
	TOP_KEY_OTHER,	 /* one that means nothing here */
	TOP_KEY_RESIZED, /* no key, but told by the terminal as well */
};

enum top_page {
	TOP_ROWS,
	TOP_OPENED, /* one row: its stages, and the histogram of one of them */
	TOP_HELP,
};

/* What is to be done after a key. */
enum top_effect {
	TOP_NOTHING,
	TOP_REDRAW,  /* the same rows */
	TOP_RESORT,  /* the same, in another order: group, sort, follow */
	TOP_REGROUP, /* other rows or columns */
	TOP_QUIT,
};

#define TOP_GROUPINGS_MAX 16

struct top_state {
	struct options options; /* a copy: `by`, `extended`, `hide_idle` are changed by keys */
	uint32_t groupings[TOP_GROUPINGS_MAX]; /* each a set of enum group_by */
	size_t grouping_count;
	enum top_page page;
	enum top_page before_help;
	char sort[32]; /* the column's name; may be one that this grouping does not have */
	bool reversed; /* against the column's usual order */
	size_t cursor; /* a row's place */
	struct iscsi_stats chosen; /* whose row that is, by its keys; no histograms */
	bool has_chosen;
	bool held; /* the cursor stays on `chosen`, wherever that is; else it stays in its place */
	uint32_t stage;	  /* TOP_OPENED: whose histogram is shown */
	size_t scroll;	  /* TOP_OPENED: lines of the histogram that are passed over */
	size_t page_rows; /* rows that fit, for the keys that turn pages */
};

/* Shows the options' grouping first; that of `options` must outlive it. */
void top_state_init(struct top_state *state, const struct options *options);

/* What the key, a character or enum top_key, does while these rows and columns are shown. */
enum top_effect top_state_key(struct top_state *state, int key, const struct columns *columns,
			      const struct records *records);

/* The column that is sorted by: the state's, or the one sorted by if nobody chooses. */
size_t top_state_sort_column(const struct top_state *state, const struct columns *columns);

/* Does that column's largest value come first? */
bool top_state_descending(const struct top_state *state, const struct columns *columns);

/*
 * Sorts records as they were grouped; those with equal values stay in that order, those without a
 * value come last. 0 or -ENOMEM.
 */
int top_state_sort(const struct top_state *state, const struct columns *columns,
		   struct records *records);

/*
 * After the rows have changed: the cursor is moved to where what it is held on is now, or else, as
 * when that has gone, chooses what is in its place. An opened row that has gone stays chosen.
 */
void top_state_follow(struct top_state *state, const struct records *records);

/* Are they of the same group? */
bool top_state_same(const struct iscsi_stats *a, const struct iscsi_stats *b);

/* "sid,cid": the grouping as -b has it. */
void top_state_grouping(uint32_t by, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
