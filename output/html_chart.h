/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the charts of a web page share: their frame and its measures; for output/html_*.c only. */
#ifndef STORPROTOTRACE_HTML_CHART_H
#define STORPROTOTRACE_HTML_CHART_H

#include "output/html.h"

/* The plot within the picture, in its units. */
#define CHART_WIDTH  1000
#define CHART_LEFT   62
#define CHART_TOP    14
#define CHART_PLOT_W (CHART_WIDTH - CHART_LEFT - 8)
#define CHART_PLOT_H 200
#define CHART_BOTTOM (CHART_TOP + CHART_PLOT_H)

struct chart {
	const struct html_page *page;
	FILE *out;
	double step; /* width of a column */
};

/* Begins a chapter and its picture. `title` and `id` are ours, not from elsewhere. */
void chart_begin(struct chart *chart, const struct html_page *page, FILE *out,
		 const char *const id_and_title[2]);

/* Times below, events on top of it; ends the picture, not the chapter. */
void chart_end(const struct chart *chart);

/* Where a column begins. */
double chart_x(const struct chart *chart, size_t column);

/* ` name="value"`, and a number by itself. */
void chart_attribute(const struct chart *chart, const char *name, double value);
void chart_number(const struct chart *chart, double value);

/* A line across at `y`, with the milliseconds it stands for beside it. */
void chart_grid_line(const struct chart *chart, double y, double ms);

/* A colour of the key below a picture. */
void chart_key(const struct chart *chart, const char *colour, const char *text);

#endif
