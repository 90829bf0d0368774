/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The latest events and messages. */
#include "output/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_first(struct said *said)
{
	free(said->lines[0]);
	said->count--;
	memmove(said->lines, said->lines + 1, said->count * sizeof(said->lines[0]));
	memmove(said->message, said->message + 1, said->count * sizeof(said->message[0]));
}

void said_add(struct said *said, const char *line, bool message)
{
	char *copy = strndup(line, strcspn(line, "\n"));

	if (!copy)
		return;
	if (said->count == SAID_MAX)
		drop_first(said);
	said->message[said->count] = message;
	said->lines[said->count++] = copy;
}

void said_flush(struct said *said)
{
	for (size_t i = 0; i < said->count; i++) {
		if (said->message[i])
			fprintf(stderr, "%s\n", said->lines[i]);
		free(said->lines[i]);
	}
	said->count = 0;
}
