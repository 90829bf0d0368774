/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What print_stats(), which returns nothing, could not write. */
#ifndef STORPROTOTRACE_PRINT_STATS_H
#define STORPROTOTRACE_PRINT_STATS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The first failure of print_stats() since the last call, -errno, and forgets it; 0: none. */
int print_stats_error(void);

#ifdef __cplusplus
}
#endif

#endif
