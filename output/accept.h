/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a scraper's Accept header asks for. */
#ifndef STORPROTOTRACE_ACCEPT_H
#define STORPROTOTRACE_ACCEPT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Does the header (RFC 9110 12.5.1; NULL: there is none) want OpenMetrics 1.0 named, and at least
 * as much as plain text? What is not understood asks for nothing.
 */
bool accept_openmetrics(const char *header);

#ifdef __cplusplus
}
#endif

#endif
