/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* In place of screen.c where there is no ncurses: says so. */
#include "output/screen.h"

#include <errno.h>
#include "common/log.h"
#include "output/top_state.h"

int screen_possible(void)
{
	log_error("--top: this program was built without ncurses");
	log_hint("build it where ncurses is installed for development; without --top reports are "
		 "lines");
	return -EINVAL;
}

int screen_open(struct screen **screen)
{
	*screen = NULL;
	return screen_possible();
}

int screen_fd(const struct screen *screen)
{
	(void)screen;
	return -1;
}

void screen_size(const struct screen *screen, size_t *rows, size_t *columns)
{
	(void)screen;
	*rows = *columns = 0;
}

void screen_show(struct screen *screen, const struct page *page)
{
	(void)screen;
	(void)page;
}

int screen_key(struct screen *screen, int *err)
{
	(void)screen;
	*err = -ECANCELED;
	return TOP_KEY_NONE;
}

void screen_close(struct screen *screen)
{
	(void)screen;
}
