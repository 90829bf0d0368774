/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A source of longer intervals: neighbouring readings of another source added up. */
#ifndef STORPROTOTRACE_MERGED_H
#define STORPROTOTRACE_MERGED_H

#include "iscsi_bpf/source.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Adds up the readings of `inner`, which it owns from here on, to intervals of about `interval_ns`:
 * as many as come nearest to it. Readings are not cut, so longer ones stay as they are (said once).
 * Where readings are missing, or another run begins, an interval ends early. What came before an
 * error is handed on, then the error. 0 or -errno; `inner` is closed then.
 */
int merged_open(struct source *inner, uint64_t interval_ns, struct source **out);

#ifdef __cplusplus
}
#endif

#endif
