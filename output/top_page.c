/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The live screen's rows, with a title above and what was said below. */
#include "output/top_page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "output/grid.h"
#include "output/stamp.h"
#include "output/text.h"

#define NS_PER_S 1e9

/* Which columns are shown: those of keys, then those from `from` on. */
struct window {
	size_t keys;
	size_t from;
};

static void add_title(const struct top_view *view, struct page *page)
{
	const struct reading *r = view->reading;
	char stamp[STAMP_SIZE], length[FIELD_TEXT_SIZE], by[128];

	top_state_grouping(view->state->options.by, by, sizeof(by));
	if (!r->number) {
		page_add(page, PAGE_TITLE, "storprototrace  by %s  waiting for the first interval",
			 by);
		return;
	}
	stamp_local(r->start_ns + r->length_ns, stamp);
	field_number_text(r->length_ns / NS_PER_S, length);
	page_add(
		page, PAGE_TITLE, "%s  %s s  by %s  %s first by %s%s", stamp, length, by,
		top_state_descending(view->state, view->columns) ? "largest" : "smallest",
		view->columns->column[top_state_sort_column(view->state, view->columns)].field.name,
		view->over ? "  end of the recording" : "");
}

static void add_losses(const struct top_view *view, struct page *page)
{
	char text[LOSS_COUNT * 48] = "";

	for (int i = 0; i < LOSS_COUNT; i++) {
		size_t used = strlen(text);

		if (view->losses[i] && view->losses[i] != LOSS_UNKNOWN)
			snprintf(text + used, sizeof(text) - used, "  %s %" PRIu64,
				 loss_name((enum iscsi_loss)i), view->losses[i]);
	}
	if (text[0])
		page_add(page, PAGE_LOSS, "lost or degraded since the start:%s", text);
}

static size_t width_of(const struct top_view *view, size_t from, size_t to)
{
	size_t width = 0;

	for (size_t i = from; i < to; i++)
		width += view->widths[i] + 1;
	return width;
}

/* The column sorted by is to be seen. */
static void window_init(struct window *window, const struct top_view *view, size_t columns)
{
	size_t sort = top_state_sort_column(view->state, view->columns), keys = 0;

	while (keys < view->columns->count && field_is_key(&view->columns->column[keys].field))
		keys++;
	window->keys = window->from = keys;
	while (window->from < sort &&
	       width_of(view, 0, keys) + width_of(view, window->from, sort + 1) > columns + 1)
		window->from++;
}

/* One row of the grid, or with `row` beyond it the heading; to be freed, NULL: out of memory. */
static char *row_text(const struct top_view *view, const struct window *window,
		      const struct grid *grid, size_t row)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && i < view->columns->count; i++) {
		const struct field *field = &view->columns->column[i].field;
		const char *cell = row < grid->rows ? grid_cell(grid, row, i) : field->name;
		size_t width = text_width(cell), wanted = view->widths[i];
		int blanks = width < wanted ? (int)(wanted - width) : 0;
		bool left = field->type == FIELD_STRING;

		if (i >= window->keys && i < window->from)
			continue;
		fprintf(out, "%*s%s%*s ", left ? 0 : blanks, "", cell, left ? blanks : 0, "");
	}
	if (out && fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static int add_row(const struct top_view *view, const struct window *window,
		   const struct grid *grid, size_t row, struct page *page)
{
	cleanup_free char *text = row_text(view, window, grid, row);
	bool heading = row >= grid->rows;
	size_t sort = top_state_sort_column(view->state, view->columns);
	enum page_style style = heading ? PAGE_HEADER : PAGE_PLAIN;
	struct page_line *line = &page->lines[page->count];

	if (!text)
		return -ENOMEM;
	if (row == view->state->cursor && row < view->records->count)
		style = PAGE_CURSOR;
	if (page_room(page) == 0)
		return 0;
	page_add(page, style, "%s", text);
	if (!heading)
		return 0;
	line->mark = sort < window->keys
			     ? width_of(view, 0, sort)
			     : width_of(view, 0, window->keys) + width_of(view, window->from, sort);
	line->mark_width = view->widths[sort];
	return 0;
}

/* The rows around the cursor. */
static int add_rows(struct top_view *view, const struct window *window, const struct grid *grid,
		    struct page *page)
{
	size_t fit = view->state->page_rows, count = view->records->count;
	int err = 0;

	if (view->first > view->state->cursor)
		view->first = view->state->cursor;
	if (view->state->cursor >= view->first + fit)
		view->first = view->state->cursor - fit + 1;
	if (view->first + fit > count)
		view->first = count > fit ? count - fit : 0;
	for (size_t i = view->first; i < count && i < view->first + fit && !err; i++)
		err = add_row(view, window, grid, i, page);
	/* The sum of all rows stays in sight, unless there is hardly room for one. */
	if (!err && grid->rows > count && page_room(page) > 1)
		err = add_row(view, window, grid, count, page);
	return err;
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Rows have what events leave; events have a third, or what rows leave. */
static size_t share_out(struct top_view *view, size_t room)
{
	size_t rows = view->records->count + (view->records->count > 1), said;

	said = room > rows && room - rows > room / 3 ? room - rows : room / 3;
	said = min_size(view->said_count, said);
	room -= said + (view->records->count > 1 && room > said);
	view->state->page_rows = room ? room : 1;
	return said;
}

static int add_table(struct top_view *view, struct page *page)
{
	struct window window;
	struct grid grid;
	size_t said;
	int err = grid_init(&grid, view->columns, view->records);

	if (err)
		return err;
	grid_fit(&grid, view->columns, page->columns, view->widths);
	window_init(&window, view, page->columns);
	err = add_row(view, &window, &grid, grid.rows, page);
	said = share_out(view, page_room(page) > 1 ? page_room(page) - 1 : 0);
	if (!err)
		err = add_rows(view, &window, &grid, page);
	grid_deinit(&grid);
	if (!err && view->reading->number && !view->records->count)
		page_add(page, PAGE_PLAIN, "nothing to show: no session, or all are filtered out");
	page_fill(page, said + 1);
	top_page_said(view, page, said);
	return err;
}

void top_page_said(const struct top_view *view, struct page *page, size_t lines)
{
	for (size_t i = view->said_count - min_size(lines, view->said_count); i < view->said_count;
	     i++)
		page_add(page, PAGE_EVENT, "%s", view->said[i]);
}

int top_page_draw(struct top_view *view, struct page *page)
{
	int err = 0;

	if (view->state->page == TOP_HELP) {
		top_page_help(page);
		return 0;
	}
	add_title(view, page);
	add_losses(view, page);
	if (view->state->page == TOP_OPENED) {
		err = top_page_opened(view, page);
	} else {
		err = add_table(view, page);
		page_add(page, PAGE_HINT, "%s",
			 "q quit  ? keys  < > sort by  r reverse  g group by  up down Enter open");
	}
	return err;
}
