/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A report's cells and how wide its columns are; what the table is made of before it is drawn. */
#ifndef STORPROTOTRACE_GRID_H
#define STORPROTOTRACE_GRID_H

#include "output/columns.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cells of safe text, row by row; owns them. */
struct grid {
	char **cells;
	size_t rows;
	size_t columns;
};

/* All cells of the records and, with more than one, of their sum ("all"). 0 or -ENOMEM. */
int grid_init(struct grid *grid, const struct columns *columns, const struct records *records);

/* NULL is fine. */
void grid_deinit(struct grid *grid);

/* The cell's text. */
const char *grid_cell(const struct grid *grid, size_t row, size_t column);

/*
 * Widths for this grid: never narrower than before (all 0 at first), so that columns stay where
 * they are; only names give way, and are shortened in the grid, where the table would exceed
 * `limit`. Where even short names do not help, it does. True when a width differs from before.
 */
bool grid_fit(struct grid *grid, const struct columns *columns, size_t limit,
	      size_t widths[COLUMNS_MAX]);

#ifdef __cplusplus
}
#endif

#endif
