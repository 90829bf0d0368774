/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The latest events and messages of a live screen, as lines. */
#ifndef STORPROTOTRACE_SAID_H
#define STORPROTOTRACE_SAID_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SAID_MAX 200

/* Owns its lines; all zero at first. */
struct said {
	char *lines[SAID_MAX];	/* the latest last */
	bool message[SAID_MAX]; /* is said on stderr in the end */
	size_t count;
};

/* Takes a copy of the line, without its newline; where it is full, the earliest goes. */
void said_add(struct said *said, const char *line, bool message);

/* Writes the messages on stderr, and empties it. */
void said_flush(struct said *said);

#ifdef __cplusplus
}
#endif

#endif
