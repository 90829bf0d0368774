/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The live screen: keeps the last interval at its finest keys, so that a key regroups it at once.
 */
#include "output/top.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "output/event_line.h"
#include "output/said.h"
#include "output/screen.h"
#include "output/top_page.h"

struct top {
	struct sink sink;
	struct screen *screen;
	struct top_state state;
	struct reading reading; /* a copy of the interval shown */
	struct records records; /* of it */
	struct columns columns;
	size_t widths[COLUMNS_MAX];
	size_t first; /* the first row shown */
	uint64_t losses[LOSS_COUNT];
	struct said said;
	struct page page;
	bool over;
};

static int draw(struct top *top)
{
	struct top_view view = {.state = &top->state,
				.reading = &top->reading,
				.records = &top->records,
				.columns = &top->columns,
				.widths = top->widths,
				.first = top->first,
				.losses = top->losses,
				.said = top->said.lines,
				.said_count = top->said.count,
				.over = top->over};
	size_t rows, columns;
	int err;

	screen_size(top->screen, &rows, &columns);
	page_begin(&top->page, rows, columns);
	err = top_page_draw(&view, &top->page);
	top->first = view.first;
	if (!err)
		screen_show(top->screen, &top->page);
	return err;
}

/* The rows anew: of the next reading, or in another order. */
static int regroup(struct top *top)
{
	const struct options *o = &top->state.options;
	int err;

	records_deinit(&top->records);
	err = group_reading(&top->reading, &o->filter, o->by, o->hide_idle, &top->records);
	if (!err)
		err = top_state_sort(&top->state, &top->columns, &top->records);
	if (err)
		return err;
	top_state_follow(&top->state, &top->records);
	return draw(top);
}

static int change_columns(struct top *top)
{
	columns_init(&top->columns, top->state.options.by, &top->state.options);
	memset(top->widths, 0, sizeof(top->widths));
	top->first = 0;
	return regroup(top);
}

static int keep(struct top *top, const struct reading *r)
{
	records_deinit(&top->records);
	reading_deinit(&top->reading);
	reading_init(&top->reading);
	return reading_merge(&top->reading, r);
}

static void add_losses(struct top *top, const struct reading *r)
{
	for (int i = 0; i < LOSS_COUNT; i++) {
		if (r->loss[i] == LOSS_UNKNOWN)
			continue;
		/* With --cumulative a reading has them all. */
		if (top->state.options.cumulative)
			top->losses[i] = 0;
		top->losses[i] += r->loss[i];
	}
}

static int add_events(struct top *top, const struct reading *r, const struct records *records)
{
	int err = 0;

	for (size_t i = 0; i < records->event_count && !err; i++) {
		cleanup_free char *line = NULL;
		size_t size;
		FILE *out = open_memstream(&line, &size);

		if (!out)
			return -ENOMEM;
		err = event_line(records->events[i], r, out);
		if (fclose(out))
			return -ENOMEM;
		said_add(&top->said, line, false);
	}
	return err;
}

static int top_interval(struct sink *sink, const struct reading *r, const struct records *records)
{
	struct top *top = (struct top *)sink;
	int err = keep(top, r);

	add_losses(top, r);
	if (!err)
		err = add_events(top, r, records);
	return err ? err : regroup(top);
}

static int take_key(struct top *top, int key)
{
	switch (top_state_key(&top->state, key, &top->columns, &top->records)) {
	case TOP_NOTHING:
		return 0;
	case TOP_REDRAW:
		return draw(top);
	case TOP_RESORT:
		return regroup(top);
	case TOP_REGROUP:
		return change_columns(top);
	case TOP_QUIT:
		break;
	}
	return -ECANCELED;
}

static int top_input(struct sink *sink)
{
	struct top *top = (struct top *)sink;
	int err = 0, key;

	do {
		key = screen_key(top->screen, &err);
		if (!err && key != TOP_KEY_NONE)
			err = take_key(top, key);
	} while (!err && key != TOP_KEY_NONE);
	return err;
}

static int top_ended(struct sink *sink)
{
	struct top *top = (struct top *)sink;

	top->over = true;
	return draw(top);
}

static void take_message(void *arg, const char *line)
{
	struct top *top = arg;

	said_add(&top->said, line, true);
}

static int top_begin(struct sink *sink)
{
	struct top *top = (struct top *)sink;
	int err;

	/* Not uselocale(): the library asks for the process's. Numbers stay as in C. */
	setlocale(LC_CTYPE, "");
	err = screen_open(&top->screen);
	if (err)
		return err;
	log_divert(take_message, top);
	sink->fd = screen_fd(top->screen);
	return change_columns(top);
}

static void top_end(struct sink *sink)
{
	struct top *top = (struct top *)sink;

	screen_close(top->screen);
	top->screen = NULL;
	log_divert(NULL, NULL);
	said_flush(&top->said);
	setlocale(LC_CTYPE, "C");
}

int top_open(const struct options *options, struct sink **sink, struct top **out)
{
	struct top *top;

	*out = NULL;
	if (!options->top)
		return 0;
	top = calloc(1, sizeof(*top));
	if (!top) {
		log_error("--top: out of memory");
		return -ENOMEM;
	}
	top->sink = (struct sink){.begin = top_begin,
				  .end = top_end,
				  .interval = top_interval,
				  .input = top_input,
				  .ended = top_ended,
				  .paced = true};
	reading_init(&top->reading);
	top_state_init(&top->state, options);
	*sink = &top->sink;
	*out = top;
	return 0;
}

void top_close(struct top *top)
{
	if (!top)
		return;
	page_deinit(&top->page);
	records_deinit(&top->records);
	reading_deinit(&top->reading);
	free(top);
}
