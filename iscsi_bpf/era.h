/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which era's declarations a kernel without module BTF goes by: found out with a live session. */
#ifndef STORPROTOTRACE_ERA_H
#define STORPROTOTRACE_ERA_H

#include "common/options.h"
#include "iscsi_bpf/layout.h"

/*
 * Fills *btf (to be closed in any case) with what describes this kernel: BTF of kernel and modules
 * or, where the modules have none, also the era whose declarations nothing on this host
 * contradicts. For that it waits for a session with a LUN to compare with, saying so once.
 * 0 or -errno, said on stderr unless -ECANCELED (a signal came): -EOPNOTSUPP there is no BTF, no
 * era fits, or there is no session and the options do not wait.
 */
int era_describe(const struct options *options, struct kernel_btf *btf);

/* "5.10", "6.1", ... */
const char *era_name(enum era era);

#endif
