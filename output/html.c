/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A report as one web page: intervals are kept, in bounded memory, and written at the end. */
#define _GNU_SOURCE /* uselocale */
#include "output/html.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "output/event_line.h"
#include "output/printer_ops.h"
#include "output/text.h"

struct html {
	struct printer printer;
	struct html_page page;
	locale_t locale;
	uint64_t in_last; /* intervals in the last column */
};

uint32_t html_percentiles(const struct options *options, double percentiles[PERCENTILES_MAX])
{
	static const double usual[] = {50, 90, 99, 99.9};

	if (!options->percentile_count) {
		memcpy(percentiles, usual, sizeof(usual));
		return sizeof(usual) / sizeof(usual[0]);
	}
	memcpy(percentiles, options->percentiles, sizeof(options->percentiles));
	return options->percentile_count;
}

/* Adds the later column to the earlier one and releases it. 0 or -ENOMEM. */
static int add_column(struct iscsi_stats *column, struct iscsi_stats *later)
{
	struct iscsi_stats pair[] = {*column, *later};
	struct records both = {.records = pair, .count = 2};
	int err = records_total(&both, column);

	column->interval_ns = pair[0].interval_ns + pair[1].interval_ns;
	free(pair[0].hists);
	free(later->hists);
	later->hists = NULL;
	return err;
}

/* Each two columns become one: half the resolution, for as many intervals again. */
static int halve(struct html_page *page)
{
	int err = 0;

	for (size_t i = 0; i < page->column_count / 2; i++) {
		page->columns[i] = page->columns[2 * i];
		if (!err)
			err = add_column(&page->columns[i], &page->columns[2 * i + 1]);
		else
			free(page->columns[2 * i + 1].hists);
	}
	page->column_count /= 2;
	page->per_column *= 2;
	return err;
}

static int keep_column(struct html *html, const struct reading *r, const struct records *records)
{
	struct html_page *page = &html->page;
	struct iscsi_stats now;
	int err = records_total(records, &now);

	if (err) {
		free(now.hists);
		return err;
	}
	now.start_ns = r->start_ns;
	now.interval_ns = r->length_ns;
	for (int i = 0; i < STAGE_COUNT; i++)
		now.stages[i].known = r->stages_known >> i & 1;
	page->intervals++;
	if (page->column_count && html->in_last < page->per_column) {
		html->in_last++;
		return add_column(&page->columns[page->column_count - 1], &now);
	}
	if (page->column_count == HTML_COLUMNS_MAX)
		err = halve(page);
	page->columns[page->column_count++] = now;
	html->in_last = 1;
	return err;
}

static int keep_event(struct html_page *page, const struct event *event, const struct reading *r)
{
	struct html_event *events;
	char *line = NULL;
	size_t size;
	FILE *memory;

	if (page->kept[event->type] == HTML_EVENTS_MAX) {
		page->left_out[event->type]++;
		return 0;
	}
	events = reallocarray(page->events, page->event_count + 1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	page->events = events;
	memory = open_memstream(&line, &size);
	if (!memory)
		return -ENOMEM;
	event_line(event, r, memory);
	if (fclose(memory)) {
		free(line);
		return -ENOMEM;
	}
	page->kept[event->type]++;
	events[page->event_count++] = (struct html_event){page->intervals, event->type, line};
	return 0;
}

static int html_interval(struct printer *printer, const struct reading *r,
			 const struct records *records)
{
	struct html *html = (struct html *)printer;
	locale_t before = uselocale(html->locale);
	int err = 0;

	for (size_t i = 0; i < records->event_count && !err; i++)
		err = keep_event(&html->page, records->events[i], r);
	uselocale(before);
	if (!err)
		err = reading_merge(&html->page.total, r);
	return err ? err : keep_column(html, r, records);
}

/* In memory first: then writing fails at one place, or not at all. */
static int write_page(const struct html *html, const struct records *rows)
{
	cleanup_free char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	int err;

	if (!memory)
		return -ENOMEM;
	err = html_page_write(&html->page, rows, memory);
	if (ferror(memory))
		err = -ENOMEM;
	if (fclose(memory))
		err = -ENOMEM;
	return err ? err : printer_write(html->printer.out, text);
}

static int html_finish(struct printer *printer)
{
	struct html *html = (struct html *)printer;
	const struct options *options = html->page.options;
	struct records rows;
	int err = group_reading(&html->page.total, &options->filter, options->by,
				options->hide_idle, &rows);

	if (err)
		return err;
	err = write_page(html, &rows);
	records_deinit(&rows);
	return err;
}

static void html_close(struct printer *printer)
{
	struct html *html = (struct html *)printer;

	for (size_t i = 0; i < html->page.column_count; i++)
		free(html->page.columns[i].hists);
	for (size_t i = 0; i < html->page.event_count; i++)
		free(html->page.events[i].line);
	free(html->page.columns);
	free(html->page.events);
	reading_deinit(&html->page.total);
	if (html->locale)
		freelocale(html->locale);
	free(html);
}

int html_open(const struct options *options, FILE *out, struct printer **printer)
{
	static const struct printer_ops ops = {
		.interval = html_interval, .finish = html_finish, .close = html_close};
	struct html *html = calloc(1, sizeof(*html));

	if (!html)
		return -ENOMEM;
	html->printer.ops = &ops;
	html->printer.out = out;
	html->page.options = options;
	html->page.per_column = 1;
	html->page.stage = STAGE_TOTAL;
	for (uint32_t i = 0; i < STAGE_COUNT; i++)
		if (options->heatmap >> i & 1)
			html->page.stage = i;
	reading_init(&html->page.total);
	html->page.columns = calloc(HTML_COLUMNS_MAX, sizeof(*html->page.columns));
	html->locale = text_locale();
	if (!html->page.columns || !html->locale) {
		html_close(&html->printer);
		return -ENOMEM;
	}
	*printer = &html->printer;
	return 0;
}
