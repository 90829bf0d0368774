/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the terminal behind a stream can do. */
#include "output/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "output/columns.h"

#define HEIGHT 24

/* False: it is none. What it does not tell is 0. */
static bool get_size(FILE *out, struct winsize *size)
{
	int fd = fileno(out);

	*size = (struct winsize){0};
	if (fd < 0 || !isatty(fd))
		return false;
	if (ioctl(fd, TIOCGWINSZ, size) < 0)
		*size = (struct winsize){0};
	return true;
}

size_t terminal_width(FILE *out)
{
	struct winsize size;

	if (!get_size(out, &size))
		return 0;
	return size.ws_col ? size.ws_col : COLUMNS_WIDTH;
}

size_t terminal_height(FILE *out)
{
	struct winsize size;

	if (!get_size(out, &size))
		return 0;
	return size.ws_row ? size.ws_row : HEIGHT;
}

bool terminal_moves(FILE *out)
{
	const char *type = getenv("TERM");

	return type && *type && strcmp(type, "dumb") != 0 && terminal_width(out);
}

bool terminal_has_colours(FILE *out)
{
	const char *unwanted = getenv("NO_COLOR");

	/* Those by DEC, whatever else their names say, had none. */
	return terminal_moves(out) && !(unwanted && *unwanted) &&
	       strncmp(getenv("TERM"), "vt", 2) != 0;
}
