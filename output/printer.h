/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Printers: one interval's records in one format. They know nothing of where records come from. */
#ifndef STORPROTOTRACE_PRINTER_H
#define STORPROTOTRACE_PRINTER_H

#include <stdio.h>
#include "common/common.h"
#include "common/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct printer;

/*
 * A printer for options->format, writing to `out` (not owned: the caller closes it after
 * printer_close()); the options must outlive it. 0 or -errno.
 */
int printer_open(const struct options *options, FILE *out, struct printer **printer);

/*
 * Prints one interval: its records and (machine formats) its losses; flushes. `r` gives number,
 * time, length and losses. 0 or -errno: -EPIPE when the reader has gone.
 */
int printer_interval(struct printer *printer, const struct reading *r,
		     const struct records *records);

/* After the last interval: writes what was kept for the end. 0 or -errno, as above. */
int printer_finish(struct printer *printer);

/* Goes on writing to another stream (HUP re-opened the file). */
void printer_set_stream(struct printer *printer, FILE *out);

/* NULL is fine. */
void printer_close(struct printer *printer);

/*
 * The loss counters of a whole run, said on stderr as warnings: one line per counter that is
 * non-zero, with what it means.
 */
void losses_warn(const uint64_t loss[LOSS_COUNT]);

/* "commands not counted, ...": what a loss is; never NULL for a valid one. */
const char *loss_meaning(enum iscsi_loss loss);

#ifdef __cplusplus
}
#endif

#endif
