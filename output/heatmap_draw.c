/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Draws heatmaps: latency upwards, time to the right, a character per count, in colour or not. */
#include "output/heatmap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "output/heat.h"
#include "output/printer_ops.h"
#include "output/text.h"

#define NS_PER_S     1000000000ULL
#define LABEL_WIDTH  11	      /* "     0.262 " */
#define USECS_BELOW  10000000 /* ns: what begins here has its milliseconds with three digits */
#define TICK_EVERY   10
#define TICK_WIDTH   8 /* "12:00:01" */
#define LINES_BESIDE 5 /* heading, unit, axis, times, blank line */
#define ROWS_MAX     24
#define LEVELS	     9
#define LINE_SIZE    (LABEL_WIDTH + 2 + 16 * HEATMAP_WIDTH_MAX)

static const char shades[LEVELS + 1] = " .:-=+*#%@";
/* From cold to hot, as the eight colours of every terminal have it. */
static const int colours[LEVELS + 1] = {0, 34, 34, 36, 36, 32, 32, 33, 31, 31};

/* All that is drawn shares the scale. */
struct drawing {
	const struct heatmap_page *page;
	const struct heatmap_view *view;
	uint64_t most; /* in one cell */
	uint32_t rows_limit;
	FILE *out;
};

/* One map's cells. */
struct cells {
	struct heat_rows rows;
	uint64_t total; /* commands with a histogram */
	uint64_t commands;
};

size_t heatmap_columns(size_t width)
{
	size_t columns = width > LABEL_WIDTH + 1 ? width - LABEL_WIDTH - 1 : 1;

	return columns < HEATMAP_WIDTH_MAX ? columns : HEATMAP_WIDTH_MAX;
}

static void fit_rows(const struct drawing *d, const struct heatmap_map *map, struct cells *cells)
{
	uint64_t all[LAT_HIST_BUCKETS] = {0};

	*cells = (struct cells){.total = 0};
	for (size_t i = 0; i < d->page->count; i++) {
		cells->commands += map->commands[i];
		for (int b = 0; b < LAT_HIST_BUCKETS; b++)
			all[b] += map->bucket[i][b];
	}
	for (int b = 0; b < LAT_HIST_BUCKETS; b++)
		cells->total += all[b];
	heat_rows_fit(&cells->rows, all, d->rows_limit);
}

static uint64_t cell(const struct heatmap_map *map, const struct heat_rows *rows, size_t column,
		     uint32_t row)
{
	uint64_t count = 0;

	for (uint32_t b = 0; b < LAT_HIST_BUCKETS; b++)
		if (map->bucket[column][b] && heat_row_of(rows, b) == row)
			count += map->bucket[column][b];
	return count;
}

static void find_most(struct drawing *d, const struct heatmap_map *map)
{
	struct cells cells;

	fit_rows(d, map, &cells);
	for (size_t i = 0; i < d->page->count; i++) {
		for (uint32_t row = 0; row < cells.rows.count; row++) {
			uint64_t count = cell(map, &cells.rows, i, row);

			if (d->most < count)
				d->most = count;
		}
	}
}

/* A cell at the end of the line; the colour changes only where the shade does. */
static void append_cell(const struct drawing *d, char *line, uint32_t level, uint32_t *before)
{
	size_t used = strlen(line);

	if (!d->view->colours || level == *before)
		snprintf(line + used, LINE_SIZE - used, "%c", shades[level]);
	else if (level)
		snprintf(line + used, LINE_SIZE - used, "\033[0;7;%dm%c", colours[level],
			 shades[level]);
	else
		snprintf(line + used, LINE_SIZE - used, "\033[0m%c", shades[level]);
	*before = level;
}

static int write_line(const struct drawing *d, char *line)
{
	size_t length = strlen(line);
	int err;

	while (length > 0 && line[length - 1] == ' ')
		line[--length] = '\0';
	err = printer_write(d->out, line);
	return err ? err : printer_write(d->out, "\n");
}

static bool in_usecs(const struct cells *cells)
{
	return heat_row_low_ns(&cells->rows, cells->rows.count - 1) < USECS_BELOW;
}

static int write_row(const struct drawing *d, const struct heatmap_map *map,
		     const struct cells *cells, uint32_t row)
{
	bool usecs = in_usecs(cells);
	char low[FIELD_TEXT_SIZE], line[LINE_SIZE];
	uint32_t before = 0;

	field_number_text(heat_row_low_ns(&cells->rows, row) / (usecs ? 1e3 : 1e6), low);
	snprintf(line, sizeof(line), "%*.*s |", LABEL_WIDTH - 1, LABEL_WIDTH - 1, low);
	for (size_t i = 0; i < d->page->count; i++)
		append_cell(d, line, heat_level(cell(map, &cells->rows, i, row), d->most, LEVELS),
			    &before);
	if (before && d->view->colours)
		strcat(line, "\033[0m");
	return write_line(d, line);
}

/* Below the rows: a bar per tick, a "!" where events were. */
static int write_axis(const struct drawing *d)
{
	char line[LINE_SIZE];
	int used = snprintf(line, sizeof(line), "%*s+", LABEL_WIDTH, "");

	for (size_t i = 0; i < d->page->count; i++)
		line[used++] = d->page->column[i].marked ? '!' : i % TICK_EVERY ? '-' : '|';
	line[used] = '\0';
	return write_line(d, line);
}

static void append_time(const struct heatmap_column *column, char *line)
{
	time_t seconds = (time_t)(column->end_ns / NS_PER_S);
	size_t used = strlen(line);
	struct tm tm = {0};

	localtime_r(&seconds, &tm);
	strftime(line + used, LINE_SIZE - used, "%H:%M:%S", &tm);
}

/* When the intervals at the ticks ended. */
static int write_times(const struct drawing *d)
{
	char line[LINE_SIZE];

	snprintf(line, sizeof(line), "%*s ", LABEL_WIDTH, "");
	for (size_t i = 0; i < d->page->count; i += TICK_EVERY) {
		size_t wanted = LABEL_WIDTH + 1 + i, used = strlen(line);

		if (i && i + TICK_WIDTH > heatmap_columns(d->view->width))
			break;
		snprintf(line + used, LINE_SIZE - used, "%*s",
			 (int)(wanted > used ? wanted - used : 0), "");
		append_time(&d->page->column[i], line);
	}
	return write_line(d, line);
}

static int write_heading(const struct drawing *d, const struct heatmap_map *map,
			 const struct cells *cells)
{
	char whose[HISTOGRAM_WHOSE_SIZE + 3], line[2 * HISTOGRAM_WHOSE_SIZE];
	size_t room = d->view->width > 50 ? d->view->width - 50 : 8;
	const char *stage = iscsi_stage_name(d->page->stage);

	strcpy(whose, *map->whose ? map->whose : "all");
	text_shorten(whose, room);
	if (!map->known && map->current)
		snprintf(line, sizeof(line), "%s: %s cannot be told from the stage before", whose,
			 stage);
	else if (cells->total != cells->commands)
		snprintf(line, sizeof(line), "%s: %s of %" PRIu64 " out of %" PRIu64 " commands",
			 whose, stage, cells->total, cells->commands);
	else
		snprintf(line, sizeof(line), "%s: %s of %" PRIu64 " command%s", whose, stage,
			 cells->total, cells->total == 1 ? "" : "s");
	return write_line(d, line);
}

static int write_map(const struct drawing *d, const struct heatmap_map *map,
		     const struct cells *cells)
{
	char unit[LABEL_WIDTH + 4];
	int err = write_heading(d, map, cells);

	if (err || !cells->rows.count)
		return err;
	snprintf(unit, sizeof(unit), "%*s |", LABEL_WIDTH - 1, in_usecs(cells) ? "usecs" : "msecs");
	err = write_line(d, unit);
	for (uint32_t row = cells->rows.count; row > 0 && !err; row--)
		err = write_row(d, map, cells, row - 1);
	if (!err)
		err = write_axis(d);
	return err ? err : write_times(d);
}

/* The last one is shorter, as a rule. */
static uint64_t longest_ns(const struct heatmap_page *page)
{
	uint64_t longest_ns = 0;

	for (size_t i = 0; i < page->count; i++)
		if (longest_ns < page->column[i].length_ns)
			longest_ns = page->column[i].length_ns;
	return longest_ns;
}

/* What the shades mean, the smallest count of each, and what a column is. */
static int write_legend(const struct drawing *d)
{
	/* Of 9 shades all, five or three are told. */
	uint32_t step = d->view->width >= 100 ? 1 : d->view->width >= 80 ? 2 : 4;
	char line[LINE_SIZE] = "";
	uint32_t before = 0;

	snprintf(line, sizeof(line), "%*s", LABEL_WIDTH - 1, "commands");
	for (uint32_t level = 1; level <= LEVELS; level += step) {
		uint64_t low = heat_level_low(level, d->most, LEVELS);
		size_t used;

		if (!low)
			continue;
		strcat(line, "  ");
		append_cell(d, line, level, &before);
		if (d->view->colours)
			strcat(line, "\033[0m");
		before = 0;
		used = strlen(line);
		snprintf(line + used, sizeof(line) - used, " %" PRIu64, low);
	}
	snprintf(line + strlen(line), sizeof(line) - strlen(line), "   column %.3g s",
		 longest_ns(d->page) / (double)NS_PER_S);
	return write_line(d, line);
}

/* Lines for the rows of each of so many maps; 0: they do not all fit. */
static uint32_t rows_for(const struct heatmap_view *view, size_t maps)
{
	size_t each;

	if (!view->height)
		return ROWS_MAX;
	/* Legend, what is left out, and the line the cursor is on. */
	each = maps && view->height > 3 ? (view->height - 3) / maps : 0;
	if (each < LINES_BESIDE + HEAT_ROWS_MIN)
		return 0;
	return each - LINES_BESIDE < ROWS_MAX ? (uint32_t)(each - LINES_BESIDE) : ROWS_MAX;
}

static int write_maps(struct drawing *d, struct heatmap_map **maps, size_t count)
{
	size_t drawn = count;
	char line[80];
	int err = 0;

	while (drawn > 1 && !rows_for(d->view, drawn))
		drawn--;
	d->rows_limit = rows_for(d->view, drawn);
	if (d->rows_limit < HEAT_ROWS_MIN)
		d->rows_limit = HEAT_ROWS_MIN;
	for (size_t i = 0; i < drawn; i++)
		find_most(d, maps[i]);
	for (size_t i = 0; i < drawn && !err; i++) {
		struct cells cells;

		fit_rows(d, maps[i], &cells);
		err = write_map(d, maps[i], &cells);
		if (!err)
			err = printer_write(d->out, "\n");
	}
	if (!err && d->most)
		err = write_legend(d);
	if (err || drawn == count)
		return err;
	snprintf(line, sizeof(line), "and %zu more, for which there is no room\n", count - drawn);
	return printer_write(d->out, line);
}

static bool is_idle(const struct heatmap_page *page, const struct heatmap_map *map)
{
	for (size_t i = 0; i < page->count; i++)
		if (map->commands[i])
			return false;
	return true;
}

int heatmap_draw(const struct heatmap_page *page, const struct heatmap_view *view, FILE *out)
{
	struct drawing d = {.page = page, .view = view, .out = out};
	struct heatmap_map **shown = calloc(page->map_count + 1, sizeof(struct heatmap_map *));
	size_t count = 0;
	int err;

	if (!shown)
		return -ENOMEM;
	for (size_t i = 0; i < page->map_count; i++)
		if (!view->hide_idle || !is_idle(page, page->maps[i]))
			shown[count++] = page->maps[i];
	err = write_maps(&d, shown, count);
	free(shown);
	return err;
}
