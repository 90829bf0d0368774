/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The sessions' gauges: what the kernel has of each at the end of an interval. */
#ifndef STORPROTOTRACE_GAUGES_H
#define STORPROTOTRACE_GAUGES_H

#include "common/reading.h"

struct iscsi_stats_bpf;

/*
 * Address of the kernel's list of iSCSI sessions; 0: the kernel does not tell (no KALLSYMS_ALL, or
 * the transport class is not loaded): then the gauges are unknown.
 */
uint64_t gauges_find_list(void);

/*
 * Reads free places in the CmdSN window and cmds_max of the reading's sessions, walking along the
 * list at `list`; sessions that are not in it stay unknown. No command pays for it, and idle
 * sessions are read, too. 0 or -errno.
 */
int gauges_read(struct iscsi_stats_bpf *skel, uint64_t list, struct reading *r);

#endif
