/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Is there a terminal for a whole screen? By itself, for term.h defines words like "lines" and
 * "columns". */
#include "output/screen.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include "common/log.h"
#include <curses.h>
#include <term.h>

static int no_terminal(const char *what)
{
	log_error("--top: %s is no terminal", what);
	log_hint("without --top reports are lines, for files and pipes, too");
	return -EINVAL;
}

int screen_possible(void)
{
	const char *name = getenv("TERM");
	int found = 0;
	bool able;

	if (!isatty(STDOUT_FILENO))
		return no_terminal("standard output");
	if (!isatty(STDIN_FILENO))
		return no_terminal("standard input");
	able = setupterm(NULL, STDOUT_FILENO, &found) == OK && cursor_address;
	if (cur_term)
		del_curterm(cur_term);
	if (able)
		return 0;
	log_error("--top: terminal '%s': %s", name ? name : "",
		  found > 0 ? "it cannot place its cursor" : "it is not known");
	log_hint("set TERM to what the terminal is; without --top reports are lines");
	return -EINVAL;
}
