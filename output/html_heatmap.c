/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A web page's heatmap: latency upwards, time to the right, a shade per number of commands. */
#include <inttypes.h>
#include "output/heat.h"
#include "output/html_chart.h"

#define ROWS_MAX 32
#define SHADES	 9
/* So many lines across. */
#define LINES_MAX 9

static const char *const shades[SHADES + 1] = {
	"#ffffff", "#fff0c8", "#fedf94", "#fdc569", "#fba34c",
	"#f67d3a", "#e85432", "#cd2f2c", "#a51428", "#6d0025",
};

struct heat_chart {
	struct chart chart;
	struct heat_rows rows;
	uint64_t most; /* in a cell */
	double height; /* of a row */
};

static uint64_t bucket(const struct heat_chart *heat, size_t column, uint32_t b)
{
	const struct iscsi_stats *stats = &heat->chart.page->columns[column];

	return stats->hists ? stats->hists->bucket[heat->chart.page->stage][b] : 0;
}

static void count_rows(const struct heat_chart *heat, size_t column, uint64_t counts[ROWS_MAX])
{
	for (uint32_t row = 0; row < ROWS_MAX; row++)
		counts[row] = 0;
	for (uint32_t b = 0; b < LAT_HIST_BUCKETS; b++)
		if (bucket(heat, column, b))
			counts[heat_row_of(&heat->rows, b)] += bucket(heat, column, b);
}

static void find_rows(struct heat_chart *heat)
{
	uint64_t all[LAT_HIST_BUCKETS] = {0}, counts[ROWS_MAX];
	size_t columns = heat->chart.page->column_count;

	for (size_t i = 0; i < columns; i++)
		for (uint32_t b = 0; b < LAT_HIST_BUCKETS; b++)
			all[b] += bucket(heat, i, b);
	heat_rows_fit(&heat->rows, all, ROWS_MAX);
	for (size_t i = 0; i < columns && heat->rows.count; i++) {
		count_rows(heat, i, counts);
		for (uint32_t row = 0; row < heat->rows.count; row++)
			if (heat->most < counts[row])
				heat->most = counts[row];
	}
	heat->height = CHART_PLOT_H / (double)(heat->rows.count ? heat->rows.count : 1);
}

static double row_y(const struct heat_chart *heat, uint32_t row)
{
	return CHART_BOTTOM - row * heat->height;
}

static void write_cell(const struct heat_chart *heat, size_t column, uint32_t row, uint64_t count)
{
	const struct chart *chart = &heat->chart;

	fprintf(chart->out, "<rect fill=\"%s\" data-count=\"%" PRIu64 "\"",
		shades[heat_level(count, heat->most, SHADES)], count);
	chart_attribute(chart, "x", chart_x(chart, column));
	chart_attribute(chart, "y", row_y(heat, row + 1));
	chart_attribute(chart, "width", chart->step);
	chart_attribute(chart, "height", heat->height);
	fputs("><title>", chart->out);
	html_time(chart->page, chart->page->columns[column].start_ns, chart->out);
	fprintf(chart->out, ": %" PRIu64 " of ", count);
	html_ms(chart->out, (double)heat_row_low_ns(&heat->rows, row));
	fputs(" to ", chart->out);
	html_ms(chart->out, (double)heat_row_low_ns(&heat->rows, row + 1));
	fputs(" ms</title></rect>\n", chart->out);
}

static void write_cells(const struct heat_chart *heat)
{
	uint64_t counts[ROWS_MAX];

	for (size_t i = 0; i < heat->chart.page->column_count && heat->rows.count; i++) {
		count_rows(heat, i, counts);
		for (uint32_t row = 0; row < heat->rows.count; row++)
			if (counts[row])
				write_cell(heat, i, row, counts[row]);
	}
}

/* The smallest count of each shade. */
static void write_shades(const struct heat_chart *heat)
{
	fputs("<p class=\"key\">commands, from\n", heat->chart.out);
	for (uint32_t level = 1; level <= SHADES; level++) {
		uint64_t low = heat_level_low(level, heat->most, SHADES);
		char text[24];

		if (!low)
			continue;
		snprintf(text, sizeof(text), "%" PRIu64, low);
		chart_key(&heat->chart, shades[level], text);
	}
	fputs("</p>\n", heat->chart.out);
}

void html_chart_heatmap(const struct html_page *page, FILE *out)
{
	char title[80];
	const char *const about[] = {"heatmap", title};
	struct heat_chart heat = {.most = 0};
	uint32_t every;

	snprintf(title, sizeof(title), "Commands by latency: %s (ms)",
		 iscsi_stage_name(page->stage));
	chart_begin(&heat.chart, page, out, about);
	find_rows(&heat);
	every = heat.rows.count / LINES_MAX + 1;
	for (uint32_t row = 0; row <= heat.rows.count && heat.most; row += every)
		chart_grid_line(&heat.chart, row_y(&heat, row),
				(double)heat_row_low_ns(&heat.rows, row) / 1e6);
	write_cells(&heat);
	chart_end(&heat.chart);
	if (heat.most)
		write_shades(&heat);
	else
		fputs("<p>There were no commands whose latency is known so finely.</p>\n", out);
	fputs("</section>\n", out);
}
