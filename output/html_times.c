/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A web page's charts of times: the stages' means as bars, percentiles as curves. */
#include <inttypes.h>
#include <math.h>
#include "output/html_chart.h"

const char *html_stage_colour(uint32_t stage)
{
	static const char *const colours[STAGE_COUNT] = {
		"#4e79a7", "#e15759", "#76b7b2", "#59a14f", "#edc948",
		"#8cd17d", "#f28e2b", "#b07aa1", "#9c755f", "#222222",
	};

	return colours[stage];
}

const char *html_line_colour(uint32_t line)
{
	static const char *const colours[PERCENTILES_MAX + 1] = {
		"#4e79a7", "#59a14f", "#f28e2b", "#b07aa1", "#9c755f",
		"#76b7b2", "#edc948", "#8cd17d", "#e15759",
	};

	return colours[line];
}

static double mean_ns(const struct iscsi_stats *stats, uint32_t stage)
{
	return stats->count ? (double)stats->stages[stage].sum_ns / (double)stats->count : 0;
}

/* What hovering tells of a column. */
static void write_title(const struct chart *chart, const struct iscsi_stats *column)
{
	fputs("<title>", chart->out);
	html_time(chart->page, column->start_ns, chart->out);
	fprintf(chart->out, ": %" PRIu64 " commands, mean ", column->count);
	html_ms(chart->out, mean_ns(column, STAGE_TOTAL));
	fputs(" ms", chart->out);
	for (uint32_t stage = 0; stage < STAGE_TOTAL; stage++) {
		if (!column->stages[stage].sum_ns)
			continue;
		fprintf(chart->out, "\n%s ", iscsi_stage_name(stage));
		html_ms(chart->out, mean_ns(column, stage));
	}
	fputs("</title>", chart->out);
}

static void write_bar(const struct chart *chart, size_t i, double scale)
{
	const struct iscsi_stats *column = &chart->page->columns[i];
	double y = CHART_BOTTOM;

	fputs("<g>", chart->out);
	write_title(chart, column);
	for (uint32_t stage = 0; stage < STAGE_TOTAL; stage++) {
		double height = mean_ns(column, stage) * scale;

		y -= height;
		if (height < 0.05)
			continue;
		fprintf(chart->out, "<rect fill=\"%s\"", html_stage_colour(stage));
		chart_attribute(chart, "x", chart_x(chart, i));
		chart_attribute(chart, "y", y);
		chart_attribute(chart, "width", chart->step > 4 ? chart->step - 1 : chart->step);
		chart_attribute(chart, "height", height);
		fputs("/>", chart->out);
	}
	fputs("</g>\n", chart->out);
}

/* 1, 2 or 5 times a power of ten, so that there are at most five lines. */
static double nice_step(double highest)
{
	double step = pow(10, floor(log10(highest / 5)));

	while (highest / step > 5)
		step *= highest / step > 12.5 ? 5 : 2;
	return step;
}

void html_chart_stages(const struct html_page *page, FILE *out)
{
	static const char *const about[] = {"stages-chart",
					    "Mean time of a command, by stage (ms)"};
	double highest_ms = 0, step_ms;
	struct chart chart;

	for (size_t i = 0; i < page->column_count; i++)
		highest_ms = fmax(highest_ms, mean_ns(&page->columns[i], STAGE_TOTAL) / 1e6);
	chart_begin(&chart, page, out, about);
	step_ms = highest_ms > 0 ? nice_step(highest_ms) : 1;
	for (double ms = 0; ms <= highest_ms; ms += step_ms)
		chart_grid_line(&chart,
				CHART_TOP + CHART_PLOT_H * (1 - ms / fmax(highest_ms, step_ms)),
				ms);
	for (size_t i = 0; i < page->column_count; i++)
		write_bar(&chart, i, highest_ms > 0 ? CHART_PLOT_H / highest_ms / 1e6 : 0);
	chart_end(&chart);
	fputs("<p class=\"key\">\n", out);
	for (uint32_t stage = 0; stage < STAGE_TOTAL; stage++)
		chart_key(&chart, html_stage_colour(stage), iscsi_stage_name(stage));
	fputs("</p>\n</section>\n", out);
}

/* A percentile of the total; above 100: the maximum. 0: there is none. */
static uint64_t line_ns(const struct iscsi_stats *column, double percentile)
{
	uint64_t ns = 0;

	if (percentile > 100)
		return column->stages[STAGE_TOTAL].max_ns;
	return iscsi_percentile(column, STAGE_TOTAL, percentile, &ns) ? 0 : ns;
}

/* The scale: powers of ten around all that is drawn. */
struct decades {
	double low, high; /* logarithms */
};

static double decades_y(const struct decades *decades, double ns)
{
	return CHART_TOP +
	       CHART_PLOT_H * (decades->high - log10(ns)) / (decades->high - decades->low);
}

static void find_decades(struct decades *decades, const struct html_page *page, const double *lines,
			 uint32_t count)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < page->column_count; i++) {
		for (uint32_t line = 0; line < count; line++) {
			uint64_t ns = line_ns(&page->columns[i], lines[line]);

			if (!ns)
				continue;
			low = fmin(low, floor(log10((double)ns)));
			high = fmax(high, ceil(log10((double)ns)));
		}
	}
	if (isinf(low))
		low = high = 6;
	*decades = (struct decades){low, high > low ? high : low + 1};
}

/* A curve that is interrupted where there were no commands; a single point is a dot. */
static void write_curve(const struct chart *chart, const struct decades *decades, double percentile,
			const char *colour)
{
	bool drawing = false;

	fprintf(chart->out, "<path class=\"curve\" stroke=\"%s\" d=\"", colour);
	for (size_t i = 0; i < chart->page->column_count; i++) {
		uint64_t ns = line_ns(&chart->page->columns[i], percentile);

		if (ns) {
			fputc(drawing ? 'L' : 'M', chart->out);
			chart_number(chart, chart_x(chart, i) + chart->step / 2);
			fputc(' ', chart->out);
			chart_number(chart, decades_y(decades, (double)ns));
			if (!drawing)
				fputs("h0", chart->out);
		}
		drawing = ns > 0;
	}
	fputs("\"/>\n", chart->out);
}

void html_chart_percentiles(const struct html_page *page, FILE *out)
{
	static const char *const about[] = {
		"percentiles-chart", "Percentiles and longest of the total (ms, logarithmic)"};
	double lines[PERCENTILES_MAX + 1];
	uint32_t count = html_percentiles(page->options, lines);
	struct decades decades;
	struct chart chart;

	lines[count++] = 101;
	find_decades(&decades, page, lines, count);
	chart_begin(&chart, page, out, about);
	for (double log = decades.low; log <= decades.high; log++)
		chart_grid_line(&chart, decades_y(&decades, pow(10, log)), pow(10, log - 6));
	for (uint32_t i = count; i-- > 0;)
		write_curve(&chart, &decades, lines[i],
			    html_line_colour(i == count - 1 ? PERCENTILES_MAX : i));
	chart_end(&chart);
	fputs("<p class=\"key\">\n", out);
	for (uint32_t i = 0; i < count; i++) {
		char text[24] = "p";

		field_percent_text(lines[i], '.', text + 1, sizeof(text) - 1);
		chart_key(&chart, html_line_colour(i == count - 1 ? PERCENTILES_MAX : i),
			  i == count - 1 ? "max" : text);
	}
	fputs("</p>\n</section>\n", out);
}
