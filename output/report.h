/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The program's output: a stream, the printer that writes to it, and what went wrong with it. */
#ifndef STORPROTOTRACE_REPORT_H
#define STORPROTOTRACE_REPORT_H

#include <stdio.h>
#include "common/options.h"
#include "common/sink.h"
#include "output/printer.h"
#include "output/whole_file.h"

struct report {
	struct sink sink; /* set by report_open(): what the loop hands on is reported */
	const struct options *options;
	FILE *out;		      /* NULL: whole_file, a new one for each interval */
	struct whole_file whole_file; /* in use for the formats that are scraped */
	struct printer *printer;
	bool begun; /* an interval was written: what the file held before is gone */
	int error;  /* first -errno of writing; 0: none. A reader that has gone is none */
};

/*
 * Keeps descriptors 0 to 2 from being given to other files where the caller closed them: what is
 * said on stderr would land there. Writing to one that was closed fails.
 */
void report_hold_standard_streams(void);

/*
 * Opens options->output (emptied when there is something to write; for formats that are scraped it
 * is replaced whole with each interval) or takes stdout. 0 or -errno, said on stderr.
 */
int report_open(struct report *report, const struct options *options);

/*
 * Prints one interval. 0; -ECANCELED: nobody reads any more; other -errno: cannot be written (said
 * on stderr, kept in `error`).
 */
int report_interval(struct report *report, const struct reading *r, const struct records *records);

/* Is there a file that a rotation can have moved away? */
bool report_has_file(const struct report *report);

/* Opens the file again, appending; one that is replaced anyway is left alone. 0 or -errno, said on
 * stderr. */
int report_reopen(struct report *report);

/*
 * Writes what is kept for the end, closes what was opened and flushes stdout. After a run that
 * `failed` before its first interval there is no end: the file stays as it was. 0 or the first
 * -errno of writing.
 */
int report_close(struct report *report, bool failed);

/*
 * Flushes stdout for those who write to it themselves. 0, also where the reader has gone; or
 * -errno, said on stderr.
 */
int report_flush_stdout(void);

#endif
