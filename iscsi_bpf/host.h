/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Is this host fit for tracing? Privilege first, then the kernel, then the modules. */
#ifndef STORPROTOTRACE_HOST_H
#define STORPROTOTRACE_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include "common/options.h"

/* 0, or -EPERM after saying which privilege is missing. */
int host_check_privilege(void);

/* 0; -EOPNOTSUPP after saying what this kernel lacks for good: BPF, probes, module support. */
int host_check_kernel(enum attach_mode mode);

/* Are the hooked modules there, loaded or built in? Cheap enough to be asked some times a second. */
bool host_modules_loaded(void);

/* Says that they are not, and what to do. */
void host_say_not_loaded(void);

/* Has the kernel a function of exactly this name? */
bool host_has_symbol(const char *symbol);

/* Does its BPF know compare-and-exchange (5.12)? Older verifiers refuse it even in dead code. */
bool host_has_compare_exchange(void);

/*
 * A number that differs once one of the modules has gone or was loaded anew; built in, they never
 * do.
 */
uint64_t host_modules_identity(void);

#endif
