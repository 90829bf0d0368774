/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Wall-clock times as text. */
#include "output/stamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_SEC UINT64_C(1000000000)

void stamp_utc(uint64_t ns, char text[STAMP_SIZE])
{
	time_t seconds = (time_t)(ns / NS_PER_SEC);
	struct tm tm = {0};
	size_t length;

	gmtime_r(&seconds, &tm);
	length = strftime(text, STAMP_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + length, STAMP_SIZE - length, ".%03" PRIu64 "Z", ns % NS_PER_SEC / 1000000);
}

void stamp_local(uint64_t ns, char text[STAMP_SIZE])
{
	time_t seconds = (time_t)(ns / NS_PER_SEC);
	struct tm tm = {0};
	size_t length;

	tzset();
	localtime_r(&seconds, &tm);
	length = strftime(text, STAMP_SIZE, "%Y-%m-%dT%H:%M:%S%z", &tm);
	/* strftime gives +hhmm; ISO 8601 beside an extended time wants +hh:mm. */
	memmove(text + length - 1, text + length - 2, 3);
	text[length - 2] = ':';
}

void stamp_use_utc(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
}
