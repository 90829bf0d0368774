/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A report's cells and how wide its columns are. */
#include "output/grid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "output/text.h"

/* A name of these columns still shows its beginning and its end. */
#define NAME_WIDTH_MIN 12

static char **cell(const struct grid *grid, size_t row, size_t column)
{
	return &grid->cells[row * grid->columns + column];
}

const char *grid_cell(const struct grid *grid, size_t row, size_t column)
{
	return *cell(grid, row, column);
}

static int set_cell(struct grid *grid, size_t row, size_t column, const char *text)
{
	size_t length = strlen(text);
	/* Shortening may need two bytes more. */
	char *copy = malloc(length + 3);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, length + 1);
	free(*cell(grid, row, column));
	*cell(grid, row, column) = copy;
	return 0;
}

static int set_row(struct grid *grid, size_t row, const struct columns *columns,
		   const struct iscsi_stats *stats)
{
	for (size_t i = 0; i < columns->count; i++) {
		char text[FIELD_TEXT_SIZE];
		int err;

		field_text(&columns->column[i].field, stats, text);
		err = set_cell(grid, row, i, text);
		if (err)
			return err;
	}
	return 0;
}

static int set_total(struct grid *grid, const struct columns *columns,
		     const struct records *records)
{
	struct iscsi_stats total;
	int err = records_total(records, &total);

	if (err)
		return err;
	err = set_row(grid, records->count, columns, &total);
	free(total.hists);
	/* A column chosen first may be one of numbers. */
	for (size_t i = 0; i < columns->count && !err; i++)
		if (field_is_key(&columns->column[i].field))
			return set_cell(grid, records->count, i, "all");
	return err;
}

int grid_init(struct grid *grid, const struct columns *columns, const struct records *records)
{
	int err = 0;

	grid->columns = columns->count;
	grid->rows = records->count > 1 ? records->count + 1 : records->count;
	grid->cells = calloc(grid->rows * grid->columns + 1, sizeof(*grid->cells));
	if (!grid->cells)
		return -ENOMEM;
	for (size_t i = 0; i < records->count && !err; i++)
		err = set_row(grid, i, columns, &records->records[i]);
	if (!err && records->count > 1)
		err = set_total(grid, columns, records);
	if (err)
		grid_deinit(grid);
	return err;
}

void grid_deinit(struct grid *grid)
{
	if (!grid)
		return;
	for (size_t i = 0; grid->cells && i < grid->rows * grid->columns; i++)
		free(grid->cells[i]);
	free(grid->cells);
	*grid = (struct grid){0};
}

static size_t widest_cell(const struct grid *grid, size_t column)
{
	size_t width = 0;

	for (size_t row = 0; row < grid->rows; row++) {
		size_t cell_width = text_width(grid_cell(grid, row, column));

		if (cell_width > width)
			width = cell_width;
	}
	return width;
}

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Columns of the whole table, a blank between each two. */
static size_t table_width(const struct columns *columns, const size_t *widths)
{
	size_t width = columns->count - 1;

	for (size_t i = 0; i < columns->count; i++)
		width += widths[i];
	return width;
}

/* Takes from the widest name until the table fits; false when it cannot. */
static bool narrow_names(const struct columns *columns, size_t limit, size_t *widths)
{
	while (table_width(columns, widths) > limit) {
		size_t *widest = NULL;

		for (size_t i = 0; i < columns->count; i++) {
			if (column_is_name(&columns->column[i]) && widths[i] > NAME_WIDTH_MIN &&
			    (!widest || widths[i] > *widest))
				widest = &widths[i];
		}
		if (!widest)
			return false;
		--*widest;
	}
	return true;
}

static void natural_widths(const struct grid *grid, const struct columns *columns, size_t *widths)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct field *field = &columns->column[i].field;
		size_t least = max_size(widths[i], strlen(field->name));

		if (!column_is_name(&columns->column[i]))
			least = max_size(least, field->width);
		widths[i] = max_size(least, widest_cell(grid, i));
	}
}

bool grid_fit(struct grid *grid, const struct columns *columns, size_t limit,
	      size_t widths[COLUMNS_MAX])
{
	size_t before[COLUMNS_MAX], natural[COLUMNS_MAX];

	memcpy(before, widths, sizeof(before));
	natural_widths(grid, columns, widths);
	memcpy(natural, widths, sizeof(natural));
	if (!narrow_names(columns, limit, widths)) {
		/* Too wide anyway: then at least with names one can read. */
		for (size_t i = 0; i < columns->count; i++) {
			size_t wanted = columns->column[i].field.width;

			if (column_is_name(&columns->column[i]))
				widths[i] = natural[i] < wanted ? natural[i] : wanted;
		}
	}
	for (size_t row = 0; row < grid->rows; row++) {
		for (size_t i = 0; i < columns->count; i++) {
			if (column_is_name(&columns->column[i]))
				text_shorten(*cell(grid, row, i), widths[i]);
		}
	}
	return memcmp(before, widths, columns->count * sizeof(*widths)) != 0;
}
