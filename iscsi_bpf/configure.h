/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the options mean for the BPF side: its configuration and the sizes of its maps. */
#ifndef STORPROTOTRACE_CONFIGURE_H
#define STORPROTOTRACE_CONFIGURE_H

#include "common/options.h"
#include "iscsi_bpf/wire.h"

struct iscsi_stats_bpf;

/* Configures a skeleton that is opened and not yet loaded. */
void configure_skeleton(struct iscsi_stats_bpf *skel, const struct options *options,
			const struct kernel_layout *layout);

/* Places in the table of commands in flight: a power of two. */
uint32_t configure_slot_count(const struct options *options);

/* Commands whose total is less have no event of their own; SLOWER_NONE: no command has. */
uint64_t configure_slower_ns(const struct options *options);

/* Do the keys of histograms need the LUN? */
bool configure_hists_by_lun(const struct options *options);

#endif
