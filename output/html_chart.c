/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The frame of a web page's charts: SVG with times below, and events as marks. */
#include "output/html_chart.h"

#include <math.h>

#define HEIGHT	  (CHART_BOTTOM + 22)
#define TIMES_MAX 8

/* Tenths of a unit are finer than any screen; %f would ask the locale. */
void chart_number(const struct chart *chart, double value)
{
	long tenths = lround(value * 10);

	fprintf(chart->out, "%ld.%ld", tenths / 10, tenths % 10);
}

void chart_attribute(const struct chart *chart, const char *name, double value)
{
	fprintf(chart->out, " %s=\"", name);
	chart_number(chart, value);
	fputc('"', chart->out);
}

double chart_x(const struct chart *chart, size_t column)
{
	return CHART_LEFT + (double)column * chart->step;
}

void chart_grid_line(const struct chart *chart, double y, double ms)
{
	fprintf(chart->out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\"", CHART_LEFT,
		CHART_LEFT + CHART_PLOT_W);
	chart_attribute(chart, "y1", y);
	chart_attribute(chart, "y2", y);
	fprintf(chart->out, "/><text text-anchor=\"end\" x=\"%d\"", CHART_LEFT - 5);
	chart_attribute(chart, "y", y + 4);
	fputc('>', chart->out);
	html_ms(chart->out, ms * 1e6);
	fputs("</text>\n", chart->out);
}

static void write_time(const struct chart *chart, size_t column)
{
	double x = chart_x(chart, column);

	fputs("<line class=\"axis\"", chart->out);
	chart_attribute(chart, "x1", x);
	chart_attribute(chart, "x2", x);
	fprintf(chart->out, " y1=\"%d\" y2=\"%d\"/><text", CHART_BOTTOM, CHART_BOTTOM + 5);
	chart_attribute(chart, "x", x + 3);
	fprintf(chart->out, " y=\"%d\">", CHART_BOTTOM + 15);
	html_time(chart->page, chart->page->columns[column].start_ns, chart->out);
	fputs("</text>\n", chart->out);
}

static void write_times(const struct chart *chart)
{
	size_t columns = chart->page->column_count;

	for (size_t i = 0; i < columns; i += (columns + TIMES_MAX - 1) / TIMES_MAX)
		write_time(chart, i);
	fprintf(chart->out, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n",
		CHART_LEFT, CHART_LEFT + CHART_PLOT_W, CHART_BOTTOM, CHART_BOTTOM);
}

/* Sessions' events from top to bottom, of commands a tick at the top. */
static void write_marks(const struct chart *chart)
{
	const struct html_page *page = chart->page;

	for (size_t i = 0; i < page->event_count; i++) {
		const struct html_event *event = &page->events[i];
		double x = chart_x(chart, event->interval / page->per_column) + chart->step / 2;

		fprintf(chart->out, "<line class=\"mark %s\"", event_type_name(event->type));
		chart_attribute(chart, "x1", x);
		chart_attribute(chart, "x2", x);
		fprintf(chart->out, " y1=\"2\" y2=\"%d\"><title>",
			event->type == EVENT_SESSION ? CHART_BOTTOM : CHART_TOP);
		html_text(chart->out, event->line);
		fputs("</title></line>\n", chart->out);
	}
}

void chart_begin(struct chart *chart, const struct html_page *page, FILE *out,
		 const char *const id_and_title[2])
{
	*chart = (struct chart){page, out, (double)CHART_PLOT_W / (double)page->column_count};
	fprintf(out, "<section>\n<h2>%s</h2>\n", id_and_title[1]);
	fprintf(out, "<svg id=\"%s\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
		id_and_title[0], CHART_WIDTH, HEIGHT, id_and_title[1]);
}

void chart_end(const struct chart *chart)
{
	write_times(chart);
	write_marks(chart);
	fputs("</svg>\n", chart->out);
}

void chart_key(const struct chart *chart, const char *colour, const char *text)
{
	fprintf(chart->out, "<span><i style=\"background:%s\"></i>%s</span>\n", colour, text);
}
