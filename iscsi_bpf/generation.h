/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The two generations of counters in the kernel: one is written while the other is read. */
#ifndef STORPROTOTRACE_GENERATION_H
#define STORPROTOTRACE_GENERATION_H

#include "common/reading.h"

struct iscsi_stats_bpf;

/*
 * Lets the BPF side write to the other generation, waits until nobody writes to this one any more,
 * and moves its sums and histograms into the reading. Sums that do not agree with each other are
 * counted (LOSS_TORN). 0 or -errno.
 */
int generation_drain(struct iscsi_stats_bpf *skel, struct reading *r);

#endif
