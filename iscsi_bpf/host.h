/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Is this host fit for tracing? The kernel, then the modules. */
#ifndef STORPROTOTRACE_HOST_H
#define STORPROTOTRACE_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include "common/options.h"

/*
 * What the kernel's lockdown allows: "none", "integrity" or "confidentiality", into
 * mode[HOST_LOCKDOWN]. False: it does not say (securityfs is not mounted, or there is none).
 */
#define HOST_LOCKDOWN 32
bool host_lockdown(char *mode);

/* 0; -EOPNOTSUPP after saying what this kernel lacks for good: BPF, probes, module support. */
int host_check_kernel(const struct options *options);

/* Are the hooked modules there, loaded or built in? Cheap enough to be asked some times a second.
 */
bool host_modules_loaded(void);

/* Says that they are not, and what to do. */
void host_say_not_loaded(void);

/* Does its BPF know compare-and-exchange (5.12)? Older verifiers refuse it even in dead code. */
bool host_has_compare_exchange(void);

/*
 * A number that differs once one of the modules has gone or was loaded anew; built in, they never
 * do.
 */
uint64_t host_modules_identity(void);

#endif
