/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An opened row of the live screen: its stages and a histogram; and the keys. */
#include "output/top_page.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "common/cleanup.h"
#include "output/histogram.h"

#define CELLS_SIZE ((PERCENTILES_MAX + 2) * (FIELD_TEXT_SIZE + 1))

static const struct iscsi_stats *find_chosen(const struct top_view *view)
{
	for (size_t i = 0; i < view->records->count; i++) {
		if (top_state_same(&view->state->chosen, &view->records->records[i]))
			return &view->records->records[i];
	}
	return NULL;
}

/* The stage's share of the total; "-" where there is nothing to share. */
static void share_text(const struct iscsi_stats *stats, uint32_t stage, char *text, size_t size)
{
	double total = (double)stats->stages[STAGE_TOTAL].sum_ns;

	if (stats->stages[stage].known && total > 0)
		snprintf(text, size, "%.0f%%", 100 * (stats->stages[stage].sum_ns / total));
	else
		snprintf(text, size, "-");
}

/* "-" for a stage that an old recording does not tell. */
static void inflight_text(const struct iscsi_stats *stats, uint32_t stage,
			  char count[FIELD_TEXT_SIZE], char oldest[FIELD_TEXT_SIZE])
{
	field_text(field_find("oldest"), stats, oldest);
	if (stage == STAGE_TOTAL) {
		field_text(field_find("infl"), stats, count);
	} else if (iscsi_oldest_ns(stats) == UINT64_MAX) {
		strcpy(count, "-");
	} else {
		sprintf(count, "%" PRIu64, stats->inflight_stages[stage].count);
		field_ms_text((double)stats->inflight_stages[stage].oldest_ns, oldest);
	}
}

/* A field as it is of another stage. */
static void add_cell(char line[CELLS_SIZE], struct field field, uint32_t stage,
		     const struct iscsi_stats *stats)
{
	size_t used = strlen(line);
	char text[FIELD_TEXT_SIZE];

	field.stage = stage;
	field_text(&field, stats, text);
	snprintf(line + used, CELLS_SIZE - used, " %8s", text);
}

static void add_stage(const struct histogram *histogram, const struct iscsi_stats *stats,
		      uint32_t stage, struct page *page)
{
	/* Only one has its histogram below. */
	enum page_style style = histogram->stages >> stage & 1 ? PAGE_CURSOR : PAGE_PLAIN;
	char share[16], count[FIELD_TEXT_SIZE], oldest[FIELD_TEXT_SIZE], cells[CELLS_SIZE] = "";

	share_text(stats, stage, share, sizeof(share));
	inflight_text(stats, stage, count, oldest);
	add_cell(cells, *field_find("avg"), stage, stats);
	for (uint32_t i = 0; i < histogram->percentile_count; i++) {
		struct field field = *field_find("p99");

		field.percent = histogram->percentiles[i];
		add_cell(cells, field, stage, stats);
	}
	add_cell(cells, *field_find("max"), stage, stats);
	page_add(page, style, "%-8s %5s%s %6s %8s", iscsi_stage_name(stage), share, cells, count,
		 oldest);
}

static void add_stages(const struct histogram *histogram, const struct iscsi_stats *stats,
		       struct page *page)
{
	char heads[256] = "", percent[16];

	for (uint32_t i = 0; i < histogram->percentile_count; i++) {
		size_t used = strlen(heads);

		field_percent_text(histogram->percentiles[i], '.', percent, sizeof(percent));
		snprintf(heads + used, sizeof(heads) - used, " %*s%s",
			 strlen(percent) < 7 ? (int)(7 - strlen(percent)) : 0, "p", percent);
	}
	page_add(page, PAGE_HEADER, "%-8s %5s %8s%s %8s %6s %8s", "STAGE", "share", "avg ms", heads,
		 "max", "infl", "oldest");
	for (uint32_t stage = 0; stage < STAGE_COUNT; stage++)
		add_stage(histogram, stats, stage, page);
}

/* From the line on that was scrolled to, as far as there is room. */
static void add_lines(struct top_view *view, char *text, struct page *page)
{
	size_t lines = 0, room = page_room(page) > 1 ? page_room(page) - 1 : 0, skip;

	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	skip = lines > room ? lines - room : 0;
	if (view->state->scroll > skip)
		view->state->scroll = skip;
	view->state->page_rows = room ? room : 1;
	skip = view->state->scroll;
	for (char *line = text, *end; room && (end = strchr(line, '\n')); line = end + 1) {
		if (skip) {
			skip--;
			continue;
		}
		*end = '\0';
		page_add(page, PAGE_PLAIN, "%s", line);
		room--;
	}
}

static int add_histogram(struct top_view *view, const struct histogram *histogram,
			 const struct iscsi_stats *stats, struct page *page)
{
	cleanup_free char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return -ENOMEM;
	err = histogram_write(histogram, stats, out);
	if (fclose(out))
		return -ENOMEM;
	if (err < 0)
		return err;
	add_lines(view, text, page);
	return 0;
}

int top_page_opened(struct top_view *view, struct page *page)
{
	const struct iscsi_stats *stats = find_chosen(view);
	struct histogram histogram;
	char whose[HISTOGRAM_WHOSE_SIZE], errors[FIELD_TEXT_SIZE];
	int err = 0;

	histogram_init(&histogram, &view->state->options);
	histogram.stages = 1U << view->state->stage;
	histogram_whose(stats ? stats : &view->state->chosen, whose);
	if (!stats) {
		page_add(page, PAGE_HEADER, "%s: nothing in this interval", whose);
	} else {
		field_text(field_find("errors"), stats, errors);
		page_add(page, PAGE_HEADER, "%s: %" PRIu64 " commands, %s errors", whose,
			 stats->count, errors);
		add_stages(&histogram, stats, page);
		err = add_histogram(view, &histogram, stats, page);
	}
	if (page_room(page) > 1)
		top_page_said(view, page, page_room(page) - 1);
	page_fill(page, 1);
	page_add(page, PAGE_HINT, "q quit  ? keys  up down stage  PgUp PgDn scroll  Enter back");
	return err;
}

void top_page_help(struct page *page)
{
	static const char *const lines[] = {
		"Keys",
		"  up down PgUp PgDn Home End   another row",
		"  Enter                        open it: its stages, and the histogram of one",
		"                               (up and down choose); Enter or Esc goes back",
		"  < > left right               sort by another column",
		"  r                            reverse the order",
		"  g G                          group by something else, forwards and backwards",
		"  x                            all stages and gauges, or the usual columns",
		"  z                            hide idle rows, or show them",
		"  ? h                          this page; any key goes back",
		"  q                            quit",
		"",
		"Times are in milliseconds, MB are 10^6 bytes. host and target+net are shares of",
		"the time, WORST the stage that took most; aqu is commands in flight on average.",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		page_add(page, i ? PAGE_PLAIN : PAGE_TITLE, "%s", lines[i]);
	page_fill(page, 0);
}
