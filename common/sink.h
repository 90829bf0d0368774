/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where the loop's intervals go: the one who shows them. */
#ifndef STORPROTOTRACE_SINK_H
#define STORPROTOTRACE_SINK_H

#include <stdbool.h>
#include "common/group.h"

/* The first member of whoever takes intervals. Callbacks return 0 to go on; -ECANCELED stops the
 * loop cleanly; another -errno stops it and is returned by loop_run(). */
struct sink {
	int (*interval)(struct sink *sink, const struct reading *r, const struct records *records);
	/* HUP: open files anew. NULL: there are none, HUP ends the loop. */
	int (*reopen)(struct sink *sink);
	/* `fd` is readable. NULL: it is not watched. */
	int (*input)(struct sink *sink);
	int fd;
	/* The recording has ended: go on for input and signals? NULL: the loop ends. */
	int (*ended)(struct sink *sink);
	/* A recording is played as fast as it was recorded; else as fast as it can be. */
	bool paced;
};

#endif
