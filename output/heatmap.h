/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Heatmaps for people: what is kept of each interval, and how it is drawn; for output/ only. */
#ifndef STORPROTOTRACE_HEATMAP_H
#define STORPROTOTRACE_HEATMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "output/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More columns than this are not drawn, however wide the terminal is. */
#define HEATMAP_WIDTH_MAX 512

/* One interval. */
struct heatmap_column {
	uint64_t end_ns; /* CLOCK_REALTIME */
	uint64_t length_ns;
	bool marked; /* there were events */
};

/* One record's intervals; owns its strings and buckets. */
struct heatmap_map {
	char *labels; /* whose it is, for finding it again */
	char whose[HISTOGRAM_WHOSE_SIZE];
	bool known;   /* the stage could be told apart in the last interval */
	bool current; /* it had a record in the last interval */
	uint64_t (*bucket)[LAT_HIST_BUCKETS]; /* of each column; HEATMAP_WIDTH_MAX */
	uint64_t commands[HEATMAP_WIDTH_MAX]; /* all of the column, with or without histogram */
};

/* The columns on the screen or page; of all maps the same. */
struct heatmap_page {
	uint32_t stage; /* enum iscsi_stage */
	struct heatmap_column column[HEATMAP_WIDTH_MAX];
	size_t count;
	struct heatmap_map **maps;
	size_t map_count;
};

/* What it is drawn for. */
struct heatmap_view {
	size_t width;  /* columns of the terminal or page */
	size_t height; /* lines for everything; 0: any number */
	bool colours;
	bool hide_idle; /* no map of what had no commands */
};

/* Columns that fit the width: 1 .. HEATMAP_WIDTH_MAX. */
size_t heatmap_columns(size_t width);

/* Appends an interval; there must be room. 0 or -ENOMEM. */
int heatmap_add(struct heatmap_page *page, const struct reading *r, const struct records *records);

/* Forgets the oldest columns but `keep`, and maps that have no commands in the others. */
void heatmap_keep(struct heatmap_page *page, size_t keep);

/* Frees what it owns. */
void heatmap_deinit(struct heatmap_page *page);

/* Draws all maps in one scale, as many as the height has room for. 0 or -errno. */
int heatmap_draw(const struct heatmap_page *page, const struct heatmap_view *view, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
