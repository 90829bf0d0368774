/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which era's declarations a kernel without module BTF goes by: found out with a live session. */
#ifndef STORPROTOTRACE_ERA_H
#define STORPROTOTRACE_ERA_H

#include "common/options.h"
#include "iscsi_bpf/layout.h"

/*
 * Sets btf->era to the one that nothing on this host contradicts. Waits for a session with a LUN
 * to compare with, saying so once. 0 or -errno, said on stderr unless -ECANCELED (a signal came):
 * -EOPNOTSUPP no era fits, or there is no session and the options do not wait.
 */
int era_recognise(const struct options *options, struct kernel_btf *btf);

#endif
