/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* print_stats(): records one at a time, so with widths that do not depend on what comes later. */
#define _GNU_SOURCE /* uselocale */
#include "output/print_stats.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "output/columns.h"
#include "output/printer_ops.h"
#include "output/stamp.h"
#include "output/text.h"

/* Names are no wider than their columns, everything else is short. */
#define LINE_SIZE (COLUMNS_MAX * 64)

/* What the next record's header depends on. */
static struct {
	bool started;
	uint64_t interval_no;
	uint32_t keys_asked;
	int error;
} last;

int print_stats_error(void)
{
	int error = last.error;

	last.error = 0;
	return error;
}

static void append(char *line, const struct column *column, char *text)
{
	int wanted = column->field.width, width, blanks;
	bool left = column->field.type == FIELD_STRING;
	size_t used = strlen(line);

	if (column_is_name(column))
		text_shorten(text, wanted);
	width = (int)text_width(text);
	blanks = width < wanted ? wanted - width : 0;
	snprintf(line + used, LINE_SIZE - used, "%s%*s%s%*s", used ? " " : "", left ? 0 : blanks,
		 "", text, left ? blanks : 0, "");
}

static int write_line(char *line)
{
	size_t length = strlen(line);
	int err;

	while (length > 0 && line[length - 1] == ' ')
		line[--length] = '\0';
	err = printer_write(stdout, line);
	return err ? err : printer_write(stdout, "\n");
}

static int write_header(const struct columns *columns, const struct iscsi_stats *stats)
{
	char line[LINE_SIZE] = "", stamp[STAMP_SIZE];
	int err = last.started ? printer_write(stdout, "\n") : 0;

	if (!err && options_process()->timestamp) {
		stamp_local(stats->start_ns + stats->interval_ns, stamp);
		err = write_line(stamp);
	}
	for (size_t i = 0; i < columns->count; i++) {
		char name[FIELD_TEXT_SIZE];

		snprintf(name, sizeof(name), "%s", columns->column[i].field.name);
		append(line, &columns->column[i], name);
	}
	return err ? err : write_line(line);
}

static int write_row(const struct columns *columns, const struct iscsi_stats *stats)
{
	char line[LINE_SIZE] = "";

	for (size_t i = 0; i < columns->count; i++) {
		char text[FIELD_TEXT_SIZE];

		field_text(&columns->column[i].field, stats, text);
		append(line, &columns->column[i], text);
	}
	return write_line(line);
}

static int write_stats(const struct iscsi_stats *stats)
{
	struct columns columns;
	bool new_interval = !last.started || last.interval_no != stats->interval_no ||
			    last.keys_asked != stats->keys_asked;
	int err;

	columns_init(&columns, stats->keys_asked, options_process());
	err = new_interval ? write_header(&columns, stats) : 0;
	last.started = true;
	last.interval_no = stats->interval_no;
	last.keys_asked = stats->keys_asked;
	if (!err)
		err = write_row(&columns, stats);
	return err ? err : printer_flush(stdout);
}

void print_stats(struct iscsi_stats *stats)
{
	static locale_t locale;
	locale_t before;
	int err;

	if (!stats)
		return;
	if (!locale)
		locale = text_locale();
	before = uselocale(locale);
	err = write_stats(stats);
	uselocale(before);
	if (err && !last.error)
		last.error = err;
}
