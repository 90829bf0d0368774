/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The published C interface: hand a callback one record per group and interval. */
#ifndef STORPROTOTRACE_ISCSI_STATS_EBPF_H
#define STORPROTOTRACE_ISCSI_STATS_EBPF_H

#include <stdbool.h>
#include "common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Loads the BPF programs and attaches them, going by options_process(). False when it cannot; the
 * reason was said on stderr. A second call while loaded does nothing and returns true.
 */
bool iscsi_stats_ebpf_load_and_attach(void);

/*
 * Calls `handle` once per record per interval, until INT or TERM, the count of intervals is
 * reached or `handle` returns < 0: -ECANCELED stops cleanly, any other negative is a failure.
 * `handle` >= 0 means go on (the filters of common.h return 1 for "not mine"). The record and all
 * it points to are valid during the call only.
 *
 * Loads and attaches itself when that was not done; always detaches before it returns. True after
 * a clean stop; false when it could not start or failed (said on stderr). NULL: false.
 */
bool iscsi_stats_ebpf_loop(int (*handle)(struct iscsi_stats *stats));

#ifdef __cplusplus
}
#endif

#endif
