/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --heatmap: drawn anew in its place while it grows on a terminal, else a page at a time. */
#define _GNU_SOURCE /* uselocale */
#include "output/heatmap.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "output/columns.h"
#include "output/event_line.h"
#include "output/printer_ops.h"
#include "output/terminal.h"
#include "output/text.h"

struct heatmap {
	struct printer printer;
	struct heatmap_page page;
	locale_t locale;
	bool hide_idle;
	bool live;  /* intervals come one by one, not all at once */
	bool pages; /* pages were written, one more stands apart */
	size_t width;
	size_t lines; /* drawn above the cursor: these are drawn over */
};

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static int write_drawn(struct heatmap *heatmap, const struct heatmap_view *view)
{
	FILE *out = heatmap->printer.out;
	cleanup_free char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	int err;

	if (!memory)
		return -ENOMEM;
	err = heatmap_draw(&heatmap->page, view, memory);
	if (fclose(memory) && !err)
		err = -ENOMEM;
	if (err)
		return err;
	heatmap->lines = count_lines(text);
	return printer_write(out, text);
}

static int write_page(struct heatmap *heatmap)
{
	struct heatmap_view view = {
		.width = heatmap->width,
		.colours = terminal_has_colours(heatmap->printer.out),
		.hide_idle = heatmap->hide_idle,
	};
	int err = heatmap->pages ? printer_write(heatmap->printer.out, "\n") : 0;

	heatmap->pages = true;
	if (!err)
		err = write_drawn(heatmap, &view);
	heatmap_keep(&heatmap->page, 0);
	return err;
}

static int write_screen(struct heatmap *heatmap)
{
	struct heatmap_view view = {
		.width = heatmap->width,
		.height = terminal_height(heatmap->printer.out),
		.colours = terminal_has_colours(heatmap->printer.out),
		.hide_idle = heatmap->hide_idle,
	};

	return write_drawn(heatmap, &view);
}

static bool is_in_place(const struct heatmap *heatmap)
{
	return heatmap->live && terminal_moves(heatmap->printer.out);
}

/* The cursor goes to where the map began, and what is below is cleared. */
static int go_back(struct heatmap *heatmap)
{
	char text[32];

	if (!heatmap->lines)
		return 0;
	snprintf(text, sizeof(text), "\033[%zuA\r\033[J", heatmap->lines);
	heatmap->lines = 0;
	return printer_write(heatmap->printer.out, text);
}

/* Makes room for one more interval. */
static void scroll(struct heatmap *heatmap)
{
	size_t width = terminal_width(heatmap->printer.out);

	/* Lines were broken anew: where they are now nobody knows. */
	if (width != heatmap->width)
		heatmap->lines = 0;
	heatmap->width = width;
	heatmap_keep(&heatmap->page, heatmap_columns(width) - 1);
}

static int add_interval(struct heatmap *heatmap, const struct reading *r,
			const struct records *records)
{
	bool in_place = is_in_place(heatmap);
	int err = 0;

	if (in_place) {
		scroll(heatmap);
		err = go_back(heatmap);
	}
	for (size_t i = 0; i < records->event_count && !err; i++)
		err = event_line(records->events[i], r, heatmap->printer.out);
	if (!err)
		err = heatmap_add(&heatmap->page, r, records);
	if (!err && in_place)
		err = write_screen(heatmap);
	else if (!err && heatmap->page.count == heatmap_columns(heatmap->width))
		err = write_page(heatmap);
	return err;
}

static int heatmap_interval(struct printer *printer, const struct reading *r,
			    const struct records *records)
{
	struct heatmap *heatmap = (struct heatmap *)printer;
	locale_t before = uselocale(heatmap->locale);
	int err = add_interval(heatmap, r, records);

	uselocale(before);
	return err;
}

static int heatmap_finish(struct printer *printer)
{
	struct heatmap *heatmap = (struct heatmap *)printer;
	locale_t before;
	int err;

	if (is_in_place(heatmap) || !heatmap->page.count)
		return 0;
	before = uselocale(heatmap->locale);
	err = write_page(heatmap);
	uselocale(before);
	return err;
}

static void heatmap_restart(struct printer *printer)
{
	struct heatmap *heatmap = (struct heatmap *)printer;

	heatmap->pages = false;
	heatmap->lines = 0;
}

static void heatmap_close(struct printer *printer)
{
	struct heatmap *heatmap = (struct heatmap *)printer;

	heatmap_deinit(&heatmap->page);
	freelocale(heatmap->locale);
	free(heatmap);
}

int heatmap_open(const struct options *options, FILE *out, struct printer **printer)
{
	static const struct printer_ops ops = {
		.interval = heatmap_interval,
		.finish = heatmap_finish,
		.restart = heatmap_restart,
		.close = heatmap_close,
	};
	struct heatmap *heatmap = calloc(1, sizeof(*heatmap));

	if (!heatmap)
		return -ENOMEM;
	heatmap->locale = text_locale();
	if (!heatmap->locale) {
		free(heatmap);
		return -ENOMEM;
	}
	heatmap->printer.ops = &ops;
	heatmap->printer.out = out;
	heatmap->live = !options->replay;
	heatmap->hide_idle = options->hide_idle;
	heatmap->width = terminal_width(out);
	if (!heatmap->width)
		heatmap->width = COLUMNS_WIDTH;
	while (!(options->heatmap >> heatmap->page.stage & 1))
		heatmap->page.stage++;
	*printer = &heatmap->printer;
	return 0;
}
