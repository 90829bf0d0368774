/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Wall-clock times as text. */
#ifndef STORPROTOTRACE_STAMP_H
#define STORPROTOTRACE_STAMP_H

#include <stdint.h>

#define STAMP_SIZE 40

/* RFC 3339 in UTC with milliseconds: "2026-11-29T12:00:01.000Z". */
void stamp_utc(uint64_t ns, char text[STAMP_SIZE]);

/* From here on, local time is UTC in this process: for all times that people are shown. */
void stamp_use_utc(void);

/* ISO 8601 in local time with its offset: "2026-11-29T13:00:01+01:00". */
void stamp_local(uint64_t ns, char text[STAMP_SIZE]);

#endif
