// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events as lines for people: whose they are, and the words of their type. */
#include "output/event_line.h"

#include <string.h>
#include <time.h>
#include "output/printer_ops.h"
#include "output/text.h"

#define NS_PER_S   1000000000ULL
#define NAME_WIDTH 32

static void time_of_day(uint64_t ns, char *text, size_t size)
{
	time_t seconds = ns / NS_PER_S;
	struct tm tm;
	size_t length;

	localtime_r(&seconds, &tm);
	length = strftime(text, size, "%H:%M:%S", &tm);
	snprintf(text + length, size - length, ".%03u", (unsigned int)(ns % NS_PER_S / 1000000));
}

/*
 * The disk where there is one, else LUN and target, as short as the table has them. The words of a
 * session's event say the LUN themselves.
 */
static void whose(const struct event *event, const struct reading *r, char *text, size_t size)
{
	const struct session_name *session = reading_find_session(r, event->sid);
	const struct lun_name *lun = reading_find_lun(r, event->sid, event->lun);
	char name[4 * ISCSI_NAME_SIZE + 2] = "";

	if (lun && lun->disk[0])
		text_safe(lun->disk, name, sizeof(name));
	else if (session)
		text_safe(session->target, name, sizeof(name));
	text_shorten(name, NAME_WIDTH);
	if (event->type == EVENT_SESSION || (lun && lun->disk[0]))
		snprintf(text, size, "sid %u %s", event->sid, name);
	else
		snprintf(text, size, "sid %u %s LUN %llu", event->sid, name,
			 (unsigned long long)event->lun);
}

int event_line(const struct event *event, const struct reading *r, FILE *out)
{
	char at[32], who[EVENT_LINE_SIZE], words[EVENT_LINE_SIZE], line[3 * EVENT_LINE_SIZE];

	time_of_day(event->time_ns, at, sizeof(at));
	whose(event, r, who, sizeof(who));
	if (event->type == EVENT_SESSION)
		event_words_session(event, words, sizeof(words));
	else
		event_words_command(event, words, sizeof(words));
	snprintf(line, sizeof(line), "%s %s %s\n", at, who, words);
	return printer_write(out, line);
}
