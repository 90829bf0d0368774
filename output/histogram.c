/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Histograms drawn for people, as they know them from biolatency. */
#include "output/histogram.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "output/columns.h"
#include "output/printer_ops.h"
#include "output/text.h"

/* Two of the collected buckets are a row; the first and the last of these stay by themselves. */
#define ROWS	    (2 + (LAT_HIST_BUCKETS - 2) / 2)
#define BAR_WIDTH   40
#define USECS_BELOW 100000 /* ns: in usecs what begins here had digits that nobody reads */
#define LINE_SIZE   HISTOGRAM_WHOSE_SIZE

/* One stage's, in rows. */
struct drawing {
	uint64_t count[ROWS];
	uint64_t total;
	uint64_t most;
	uint32_t first, last; /* rows with commands */
	uint64_t max_ns;
	char marks[ROWS][PERCENTILES_MAX * 12];
};

void histogram_init(struct histogram *histogram, const struct options *options)
{
	static const double usual[] = {50, 90, 99};

	*histogram = (struct histogram){.stages = options->histograms};
	if (options->percentile_count > 0) {
		memcpy(histogram->percentiles, options->percentiles, sizeof(options->percentiles));
		histogram->percentile_count = options->percentile_count;
		return;
	}
	memcpy(histogram->percentiles, usual, sizeof(usual));
	histogram->percentile_count = sizeof(usual) / sizeof(usual[0]);
}

static uint32_t row_of(uint32_t bucket)
{
	if (bucket == 0)
		return 0;
	return bucket == LAT_HIST_BUCKETS - 1 ? ROWS - 1 : 1 + (bucket - 1) / 2;
}

/* Where the row begins; for ROWS, where what has an upper end is over. */
static uint64_t row_low_ns(uint32_t row)
{
	if (row == 0)
		return 0;
	return lat_hist_low_ns(row == ROWS - 1 ? LAT_HIST_BUCKETS - 1 : 1 + 2 * (row - 1));
}

static uint64_t row_high_ns(const struct drawing *drawing, uint32_t row)
{
	return row == ROWS - 1 ? drawing->max_ns : row_low_ns(row + 1);
}

static void count_rows(struct drawing *drawing, const struct iscsi_stats *stats, uint32_t stage)
{
	*drawing = (struct drawing){.first = ROWS, .max_ns = stats->stages[stage].max_ns};
	for (uint32_t i = 0; stats->hists && i < LAT_HIST_BUCKETS; i++) {
		uint64_t count = stats->hists->bucket[stage][i];
		uint32_t row = row_of(i);

		if (count == 0)
			continue;
		drawing->count[row] += count;
		drawing->total += count;
		if (drawing->count[row] > drawing->most)
			drawing->most = drawing->count[row];
		if (row < drawing->first)
			drawing->first = row;
		drawing->last = row;
	}
}

static void mark_percentiles(struct drawing *drawing, const struct histogram *histogram,
			     const struct iscsi_stats *stats, uint32_t stage)
{
	for (uint32_t i = 0; i < histogram->percentile_count; i++) {
		char percent[16], *marks;
		uint64_t ns;
		size_t used;

		if (iscsi_percentile(stats, stage, histogram->percentiles[i], &ns))
			continue;
		marks = drawing->marks[row_of((uint32_t)lat_hist_bucket(ns))];
		used = strlen(marks);
		field_percent_text(histogram->percentiles[i], '.', percent, sizeof(percent));
		snprintf(marks + used, sizeof(drawing->marks[0]) - used, " p%s", percent);
	}
}

void histogram_whose(const struct iscsi_stats *stats, char line[HISTOGRAM_WHOSE_SIZE])
{
	uint32_t keys = columns_keys(stats->keys_asked);

	line[0] = '\0';
	for (size_t i = 0; i < field_count; i++) {
		struct column column = {.field = fields[i]};
		size_t used = strlen(line);
		char text[FIELD_TEXT_SIZE];

		if (!field_is_key(&fields[i]) || !(fields[i].keys & keys))
			continue;
		field_text(&fields[i], stats, text);
		if (column_is_name(&column))
			text_shorten(text, fields[i].width);
		snprintf(line + used, LINE_SIZE - used, "%s%s %s", used ? " " : "", fields[i].name,
			 text);
	}
}

static int write_heading(const struct drawing *drawing, const struct iscsi_stats *stats,
			 uint32_t stage, FILE *out)
{
	const struct iscsi_stage_time *time = &stats->stages[stage];
	char line[LINE_SIZE], text[2 * LINE_SIZE], part[64] = "";

	histogram_whose(stats, line);
	if (!time->known)
		snprintf(part, sizeof(part), "cannot be told from the stage before");
	else if (drawing->total != time->count)
		snprintf(part, sizeof(part), "of %" PRIu64 " out of %" PRIu64 " commands",
			 drawing->total, time->count);
	else
		snprintf(part, sizeof(part), "of %" PRIu64 " command%s", time->count,
			 time->count == 1 ? "" : "s");
	snprintf(text, sizeof(text), "\n%s: %s %s\n", line, iscsi_stage_name(stage), part);
	return printer_write(out, text);
}

/* One row, or several without commands as one. */
static int write_rows_as_one(const struct drawing *drawing, uint32_t first, uint32_t last,
			     double unit_ns, FILE *out)
{
	char low[FIELD_TEXT_SIZE], high[FIELD_TEXT_SIZE], bar[BAR_WIDTH + 1] = "";
	char line[2 * FIELD_TEXT_SIZE + LINE_SIZE];
	/* Rounded up: a single slow command is to be seen. */
	double stars = ceil((double)drawing->count[first] * BAR_WIDTH / (double)drawing->most);

	memset(bar, '*', (size_t)stars);
	field_number_text(row_low_ns(first) / unit_ns, low);
	field_number_text(row_high_ns(drawing, last) / unit_ns, high);
	snprintf(line, sizeof(line), "%10s -> %-10s : %-8" PRIu64 " |%-*s|%s\n", low, high,
		 drawing->count[first], BAR_WIDTH, bar, drawing->marks[first]);
	return printer_write(out, line);
}

static int write_rows(const struct drawing *drawing, FILE *out)
{
	bool usecs = row_low_ns(drawing->first) < USECS_BELOW;
	uint32_t row = drawing->first, next;
	char line[80];
	int err;

	snprintf(line, sizeof(line), "     %-19s : %-8s %s\n", usecs ? "usecs" : "msecs", "count",
		 "distribution");
	err = printer_write(out, line);
	for (; row <= drawing->last && !err; row = next) {
		for (next = row + 1; !drawing->count[row] && !drawing->count[next];)
			next++;
		err = write_rows_as_one(drawing, row, next - 1, usecs ? 1e3 : 1e6, out);
	}
	return err;
}

static int write_stage(const struct histogram *histogram, const struct iscsi_stats *stats,
		       uint32_t stage, FILE *out)
{
	struct drawing drawing;
	int err;

	count_rows(&drawing, stats, stage);
	mark_percentiles(&drawing, histogram, stats, stage);
	err = write_heading(&drawing, stats, stage, out);
	return err || drawing.total == 0 || !stats->stages[stage].known ? err
									: write_rows(&drawing, out);
}

int histogram_write(const struct histogram *histogram, const struct iscsi_stats *stats, FILE *out)
{
	int drawn = 0;

	for (uint32_t stage = 0; stats->count > 0 && stage < STAGE_COUNT; stage++) {
		int err;

		if (!(histogram->stages >> stage & 1))
			continue;
		err = write_stage(histogram, stats, stage, out);
		if (err)
			return err;
		drawn = 1;
	}
	return drawn;
}
