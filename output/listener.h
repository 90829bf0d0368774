/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page that Prometheus scrapes: what was counted since the start, served over HTTP. */
#ifndef STORPROTOTRACE_LISTENER_H
#define STORPROTOTRACE_LISTENER_H

#include "common/options.h"
#include "common/reading.h"

struct listener;

/*
 * Listens on options->listen; *out is NULL where that is nowhere. Nothing is answered before
 * listener_ready(). The options must outlive the listener. 0 or -errno, said on stderr.
 */
int listener_open(const struct options *options, struct listener **out);

/* Readable when there is something to do for a client; not for others to read. -1 for NULL. */
int listener_fd(const struct listener *listener);

/*
 * Does what can be done for clients without waiting; `listener` is a struct listener. To be called
 * whenever listener_fd() is readable. 0 or -errno, said on stderr.
 */
int listener_ready(void *listener);

/*
 * An interval is over: what is served from now on has it in it. `r` is about the interval, or with
 * options->cumulative about all since the start. NULL for the listener is fine. 0 or -ENOMEM, said
 * on stderr.
 */
int listener_interval(struct listener *listener, const struct reading *r);

/* Closes all connections, frees. NULL is fine. */
void listener_close(struct listener *listener);

#endif
