/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table for people: one row per record, a last row for all. */
#define _GNU_SOURCE /* asprintf, strchrnul, uselocale */
#include <errno.h>
#include <inttypes.h>
#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "output/event_line.h"
#include "output/grid.h"
#include "output/histogram.h"
#include "output/printer_ops.h"
#include "output/stamp.h"
#include "output/terminal.h"
#include "output/text.h"

/* Rows after which a header is out of sight on a small terminal. */
#define ROWS_PER_HEADER 20

struct table {
	struct printer printer;
	struct columns columns;
	struct histogram histogram;
	locale_t locale;
	bool timestamp;
	bool hide_idle;
	bool extended;
	size_t widths[COLUMNS_MAX];
	bool started; /* something is on the stream already */
	bool headed;  /* a header is */
	size_t rows_since_header;
};

/*
 * A report of several rows has its own header. Single rows go on below one; on a terminal it comes
 * again before it is out of sight, in a file or pipe only when the columns moved.
 */
static bool needs_header(const struct table *table, const struct grid *grid, bool moved)
{
	if (!table->headed || moved || grid->rows != 1)
		return true;
	return terminal_width(table->printer.out) > 0 &&
	       table->rows_since_header >= ROWS_PER_HEADER;
}

/* The library heeds the width of a heading, whereas it forgets width hints in narrow columns. */
static int add_column(struct libscols_table *drawn, const struct field *field, size_t width)
{
	size_t length = strlen(field->name);
	int blanks = width > length ? (int)(width - length) : 0;
	bool left = field->type == FIELD_STRING;
	cleanup_free char *heading = NULL;

	if (asprintf(&heading, "%*s%s%*s", left ? 0 : blanks, "", field->name, left ? blanks : 0,
		     "") < 0) {
		heading = NULL;
		return -ENOMEM;
	}
	return scols_table_new_column(drawn, heading, 0, left ? 0 : SCOLS_FL_RIGHT) ? 0 : -ENOMEM;
}

static int add_columns(struct libscols_table *drawn, const struct table *table)
{
	size_t last = table->columns.count - 1;
	int err = 0;

	for (size_t i = 0; i <= last && !err; i++) {
		const struct field *field = &table->columns.column[i].field;
		bool blanks_at_end = i == last && field->type == FIELD_STRING;

		err = add_column(drawn, field, blanks_at_end ? 0 : table->widths[i]);
	}
	return err;
}

static int add_rows(struct libscols_table *drawn, const struct grid *grid)
{
	/* A table without lines would be drawn without its header. */
	size_t rows = grid->rows ? grid->rows : 1;

	for (size_t row = 0; row < rows; row++) {
		struct libscols_line *line = scols_table_new_line(drawn, NULL);

		if (!line)
			return -ENOMEM;
		for (size_t i = 0; i < grid->columns; i++) {
			const char *text = grid->rows ? grid_cell(grid, row, i) : "";
			int err = scols_line_set_data(line, i, text);

			if (err)
				return err;
		}
	}
	return 0;
}

/* The report's text, the header its first line; to be freed. */
static int draw(struct libscols_table *drawn, const struct table *table, const struct grid *grid,
		char **text)
{
	int err = add_columns(drawn, table);

	if (!err)
		err = add_rows(drawn, grid);
	if (!err)
		err = scols_print_table_to_string(drawn, text);
	if (!err && grid->rows == 0)
		strchrnul(*text, '\n')[0] = '\0';
	return err;
}

/* Always with its header: since 2.41 the library heeds headings only where it shows them. */
static int grid_text(const struct table *table, const struct grid *grid, char **text)
{
	struct libscols_table *drawn = scols_new_table();
	int err;

	if (!drawn)
		return -ENOMEM;
	/* Cells are safe already. */
	scols_table_enable_noencoding(drawn, 1);
	/* On a narrow terminal the library would cut unseen. */
	scols_table_set_termforce(drawn, SCOLS_TERMFORCE_NEVER);
	err = draw(drawn, table, grid, text);
	scols_unref_table(drawn);
	return err;
}

static int write_stamp(const struct table *table, const struct reading *r)
{
	char stamp[STAMP_SIZE];
	int err;

	if (!table->timestamp)
		return 0;
	stamp_local(r->start_ns + r->length_ns, stamp);
	err = printer_write(table->printer.out, stamp);
	return err ? err : printer_write(table->printer.out, "\n");
}

static const char *below_header(const char *text)
{
	const char *end = strchrnul(text, '\n');

	return *end ? end + 1 : end;
}

static int write_grid(struct table *table, const struct reading *r, struct grid *grid)
{
	size_t width = terminal_width(table->printer.out);
	bool moved = grid_fit(grid, &table->columns, width ? width : COLUMNS_WIDTH, table->widths);
	bool header = needs_header(table, grid, moved);
	cleanup_free char *text = NULL;
	int err = grid_text(table, grid, &text);

	if (!err && header && table->started)
		err = printer_write(table->printer.out, "\n");
	if (!err)
		err = write_stamp(table, r);
	if (!err)
		err = printer_write(table->printer.out, header ? text : below_header(text));
	if (!err)
		err = printer_write(table->printer.out, "\n");
	table->started = true;
	table->headed = true;
	table->rows_since_header = (header ? 0 : table->rows_since_header) + grid->rows;
	return err;
}

/* Of an interval whose rows are all hidden only the stamp is left, if there is one. */
static int write_idle(struct table *table, const struct reading *r)
{
	if (!table->timestamp)
		return 0;
	table->started = true;
	table->rows_since_header++;
	return write_stamp(table, r);
}

/* Events stand before the report of the interval they fell into. */
static int write_events(struct table *table, const struct reading *r, const struct records *records)
{
	int err = 0;

	for (size_t i = 0; i < records->event_count && !err; i++) {
		err = event_line(records->events[i], r, table->printer.out);
		table->started = true;
		table->rows_since_header++;
	}
	return err;
}

/* Below the rows, with -x: a session whose NOP-Outs were answered or lost. */
static int write_nops(struct table *table, const struct session_name *session)
{
	const struct nop_sums *nops = &session->nops;
	cleanup_free char *line = NULL;
	char mean[FIELD_TEXT_SIZE] = "-", max[FIELD_TEXT_SIZE] = "-";

	if (nops->count) {
		field_ms_text((double)nops->sum_ns / nops->count, mean);
		field_ms_text(nops->max_ns, max);
	}
	if (asprintf(&line,
		     "NOP of session %" PRIu32 ": %" PRIu64
		     " answered (avg %s ms, max %s ms), %" PRIu64 " lost\n",
		     session->sid, nops->count, mean, max, nops->lost) < 0) {
		line = NULL;
		return -ENOMEM;
	}
	table->rows_since_header++;
	return printer_write(table->printer.out, line);
}

static int write_report(struct table *table, const struct reading *r, const struct records *records)
{
	struct grid grid;
	int err;

	if (table->hide_idle && records->count == 0)
		return write_idle(table, r);
	err = grid_init(&grid, &table->columns, records);
	if (err)
		return err;
	err = write_grid(table, r, &grid);
	grid_deinit(&grid);
	return err;
}

/* Below the report, which is far from a header then. */
static int write_histograms(struct table *table, const struct records *records)
{
	int drawn = 0;

	for (size_t i = 0; i < records->count && drawn >= 0; i++) {
		drawn = histogram_write(&table->histogram, &records->records[i],
					table->printer.out);
		if (drawn > 0)
			table->headed = false;
	}
	return drawn < 0 ? drawn : 0;
}

static int table_interval(struct printer *printer, const struct reading *r,
			  const struct records *records)
{
	struct table *table = (struct table *)printer;
	locale_t before = uselocale(table->locale);
	int err = write_events(table, r, records);

	if (!err)
		err = write_report(table, r, records);
	for (size_t i = 0; table->extended && !err && i < records->pinged_count; i++)
		err = write_nops(table, records->pinged[i]);
	if (!err)
		err = write_histograms(table, records);
	uselocale(before);
	return err;
}

static void table_restart(struct printer *printer)
{
	struct table *table = (struct table *)printer;

	table->started = false;
	table->headed = false;
	table->rows_since_header = 0;
}

static void table_close(struct printer *printer)
{
	struct table *table = (struct table *)printer;

	freelocale(table->locale);
	free(table);
}

int table_open(const struct options *options, FILE *out, struct printer **printer)
{
	static const struct printer_ops ops = {
		.interval = table_interval, .restart = table_restart, .close = table_close};
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return -ENOMEM;
	table->locale = text_locale();
	if (!table->locale) {
		free(table);
		return -ENOMEM;
	}
	table->printer.ops = &ops;
	table->printer.out = out;
	table->timestamp = options->timestamp;
	table->hide_idle = options->hide_idle;
	table->extended = options->extended;
	columns_init(&table->columns, options->by, options);
	histogram_init(&table->histogram, options);
	*printer = &table->printer;
	return 0;
}
