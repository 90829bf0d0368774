/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pieces of an exposition for Prometheus: labels, numbers, histograms; for output/ only. */
#ifndef STORPROTOTRACE_METRICS_H
#define STORPROTOTRACE_METRICS_H

#include <stdbool.h>
#include <stdio.h>
#include "common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Upper ends of the histograms' buckets: 2^n - 1 ns for these n. Being ends of buckets of
 * lat_hist_bucket(), they are exact: "le" is "not longer than", and there are no half nanoseconds.
 */
#define METRICS_LE_FIRST_SHIFT 13 /* 8.191 us */
#define METRICS_LE_LAST_SHIFT  35 /* 34.4 s */

/*
 * The record's labels, `sid="1",target="iqn.x"`: what the grouping determines and is known. In
 * valid UTF-8, escaped as both formats want it. To be freed; NULL: out of memory.
 */
char *metrics_labels(const struct iscsi_stats *stats);

#define METRICS_SECONDS_SIZE 32

/* Nanoseconds as seconds, exact, without useless zeros: "0.000008191". */
void metrics_seconds(uint64_t ns, char text[METRICS_SECONDS_SIZE]);

/*
 * Writes the samples of one stage: `name`_bucket, _sum, _count. Nothing where the stage cannot be
 * told apart; only the bucket of all (+Inf) where not all its commands were collected so finely.
 * `labels` as above, with the stage if there is one. 0 or -errno.
 */
int metrics_histogram(const struct iscsi_stats *stats, uint32_t stage, const char *name,
		      const char *labels, FILE *out);

/* printf() to a stream: 0 or -errno. */
int metrics_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
