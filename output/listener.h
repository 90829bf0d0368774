/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page that Prometheus scrapes: what was counted since the start, served over HTTP. */
#ifndef STORPROTOTRACE_LISTENER_H
#define STORPROTOTRACE_LISTENER_H

#include "common/options.h"
#include "common/sink.h"

struct listener;

/*
 * Listens on options->listen, and puts itself before *sink, to which it hands each interval on; a
 * recording is played at its own pace then. Nothing is answered before the loop runs. *out is NULL
 * where options->listen is nowhere. Options and sink must outlive the listener. 0 or -errno, said
 * on stderr.
 */
int listener_open(const struct options *options, struct sink **sink, struct listener **out);

/* Closes all connections, frees. NULL is fine. */
void listener_close(struct listener *listener);

#endif
