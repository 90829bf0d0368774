/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The terminal as a whole screen: pages go there, keys come from there. */
#ifndef STORPROTOTRACE_SCREEN_H
#define STORPROTOTRACE_SCREEN_H

#include <stddef.h>
#include "output/page.h"

#ifdef __cplusplus
extern "C" {
#endif

struct screen;

/* Is there a terminal that can be used so? 0, or -EINVAL: said on stderr, with what to do. */
int screen_possible(void);

/*
 * Takes the terminal; LC_CTYPE must be the user's. WINCH and QUIT are blocked from here
 * on. 0 or -errno, said on stderr.
 */
int screen_open(struct screen **screen);

/* Readable when there may be a key. */
int screen_fd(const struct screen *screen);

/* The room there is. */
void screen_size(const struct screen *screen, size_t *rows, size_t *columns);

void screen_show(struct screen *screen, const struct page *page);

/*
 * The next key, a character or enum top_key; TOP_KEY_NONE: there is none. Never waits. -ECANCELED
 * in *err: the terminal has gone, or QUIT came.
 */
int screen_key(struct screen *screen, int *err);

/* Gives the terminal back as it was. NULL is fine. */
void screen_close(struct screen *screen);

#ifdef __cplusplus
}
#endif

#endif
