/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The live screen (--top): a sink that shows intervals and takes keys. */
#ifndef STORPROTOTRACE_TOP_H
#define STORPROTOTRACE_TOP_H

#include "common/options.h"
#include "common/sink.h"

struct top;

/*
 * Takes the terminal and shows that there is nothing yet; messages go to the screen from here on.
 * The options must outlive it. 0 or -errno, said on stderr.
 */
int top_open(const struct options *options, struct top **top);

/* What the loop is to be run with. */
struct sink *top_sink(struct top *top);

/* Gives the terminal back and says on stderr what was said meanwhile. NULL is fine. */
void top_close(struct top *top);

#endif
