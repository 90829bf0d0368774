/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a format is made of, and writing so that no failure is missed; for output/ only. */
#ifndef STORPROTOTRACE_PRINTER_OPS_H
#define STORPROTOTRACE_PRINTER_OPS_H

#include "output/printer.h"

struct printer_ops {
	/* 0 or -errno; need not flush. */
	int (*interval)(struct printer *printer, const struct reading *r,
			const struct records *records);
	/* Nothing comes after this: writes what was kept for the end. 0 or -errno. NULL: nothing */
	int (*finish)(struct printer *printer);
	/* Another stream begins: what was printed before is not on it. NULL: no matter. */
	void (*restart)(struct printer *printer);
	void (*close)(struct printer *printer);
};

/* The first member of every format's printer. */
struct printer {
	const struct printer_ops *ops;
	FILE *out;
};

/* printer_open() of each format; options are needed during the call only (html: to the end). */
int table_open(const struct options *options, FILE *out, struct printer **printer);
int json_open(const struct options *options, FILE *out, struct printer **printer);
int csv_open(const struct options *options, FILE *out, struct printer **printer);
int metrics_open(const struct options *options, FILE *out, struct printer **printer);
int html_open(const struct options *options, FILE *out, struct printer **printer);
int heatmap_open(const struct options *options, FILE *out, struct printer **printer);

/* Writes the text; 0 or -errno. */
int printer_write(FILE *out, const char *text);

/* Writes what is buffered; 0 or -errno. */
int printer_flush(FILE *out);

#endif
