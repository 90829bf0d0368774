/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The live screen (--top): a sink that shows intervals and takes keys. */
#ifndef STORPROTOTRACE_TOP_H
#define STORPROTOTRACE_TOP_H

#include "common/options.h"
#include "common/sink.h"

struct top;

/*
 * Puts itself in the place of *sink where the options want a screen; else *out is NULL. While the
 * loop runs it has the terminal, and messages go to the screen; in the end they are said on stderr.
 * The options must outlive it. 0 or -errno, said on stderr.
 */
int top_open(const struct options *options, struct sink **sink, struct top **out);

/* NULL is fine. */
void top_close(struct top *top);

#endif
