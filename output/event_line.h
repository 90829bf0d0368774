/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events as lines for people, between the reports of the table; for output/ only. */
#ifndef STORPROTOTRACE_EVENT_LINE_H
#define STORPROTOTRACE_EVENT_LINE_H

#include <stdio.h>
#include "common/reading.h"

#define EVENT_LINE_SIZE 1024

/*
 * Writes the event as one line: local time of day, session, target or disk, what happened. Names
 * are made safe in this thread's locale. 0 or -errno.
 */
int event_line(const struct event *event, const struct reading *r, FILE *out);

/* What happened, for the end of the line; of a command (ended or stuck) or of a session. */
void event_words_command(const struct event *event, char *text, size_t size);
void event_words_session(const struct event *event, char *text, size_t size);

#endif
