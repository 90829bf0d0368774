/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The pieces of a report as a web page: what is kept for it and who writes what; for output/ only.
 */
#ifndef STORPROTOTRACE_HTML_H
#define STORPROTOTRACE_HTML_H

#include <stdio.h>
#include "common/group.h"
#include "common/options.h"
#include "output/columns.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Even: when there are so many, neighbours are added up and half of them is left. */
#define HTML_COLUMNS_MAX 720

/* Of each kind of event; those beyond are only counted. */
#define HTML_EVENTS_MAX 1000

struct html_event {
	uint64_t interval; /* it fell into, from 0 */
	uint32_t type;	   /* enum event_type */
	char *line;	   /* as the table has it, with its newline; owned */
};

/* All that was reported. */
struct html_page {
	const struct options *options;
	uint32_t stage;		     /* whose latency is on the heatmap */
	struct reading total;	     /* all intervals added up */
	struct iscsi_stats *columns; /* all rows of an interval, or of several, added up; owned */
	size_t column_count;
	uint64_t per_column; /* intervals in a column; in the last maybe fewer */
	uint64_t intervals;
	struct html_event *events; /* in their order; owned */
	size_t event_count;
	uint64_t kept[EVENT_TYPE_COUNT]; /* events by kind: these are told */
	uint64_t left_out[EVENT_TYPE_COUNT];
};

/* The percentiles that are shown: -p's, or the usual ones. Returns how many. */
uint32_t html_percentiles(const struct options *options, double percentiles[PERCENTILES_MAX]);

/*
 * Writes the page; `rows`: all that was reported, by the grouping. 0 or -ENOMEM; of writing `out`
 * keeps what went wrong.
 */
int html_page_write(const struct html_page *page, const struct records *rows, FILE *out);

/* The chapters of the page with tables ... */
void html_rows(const struct html_page *page, const struct records *rows,
	       const struct iscsi_stats *all, FILE *out);
void html_stages(const struct html_page *page, const struct iscsi_stats *all, FILE *out);
void html_intervals(const struct html_page *page, FILE *out);
void html_events(const struct html_page *page, FILE *out);
void html_losses(const struct html_page *page, FILE *out);

/* ... and with charts: the stages' mean times, percentiles and maximum, commands by latency. */
void html_chart_stages(const struct html_page *page, FILE *out);
void html_chart_percentiles(const struct html_page *page, FILE *out);
void html_chart_heatmap(const struct html_page *page, FILE *out);

/* Text from elsewhere: valid UTF-8, no markup, no quotes, no control characters but newlines. */
void html_text(FILE *out, const char *text);

/* Nanoseconds as milliseconds, as the table shows them. */
void html_ms(FILE *out, double ns);

/* Local time of day, "12:00:01"; with month and day on a page of more than one day. */
void html_time(const struct html_page *page, uint64_t ns, FILE *out);

/* The colour of a stage, of a percentile (the last is the maximum's), "#rrggbb". */
const char *html_stage_colour(uint32_t stage);
const char *html_line_colour(uint32_t line);

#ifdef __cplusplus
}
#endif

#endif
