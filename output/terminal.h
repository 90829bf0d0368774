/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the terminal behind a stream can do, if there is one. */
#ifndef STORPROTOTRACE_TERMINAL_H
#define STORPROTOTRACE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Its columns, COLUMNS_WIDTH where it does not tell; 0: it is none. */
size_t terminal_width(FILE *out);

/* Its lines, 24 where it does not tell; 0: it is none. */
size_t terminal_height(FILE *out);

/* Can the cursor be moved, by ECMA-48? */
bool terminal_moves(FILE *out);

/* Are colours there and wanted (NO_COLOR)? */
bool terminal_has_colours(FILE *out);

#endif
