/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the listener answers with; for output/listener.c only. */
#ifndef STORPROTOTRACE_LISTENER_PAGES_H
#define STORPROTOTRACE_LISTENER_PAGES_H

#include <microhttpd.h>
#include "common/options.h"
#include "common/reading.h"

struct listener_pages;

/* The options must outlive the pages. 0 or -errno. */
int listener_pages_open(const struct options *options, struct listener_pages **out);

/* As listener_interval(). */
int listener_pages_interval(struct listener_pages *pages, const struct reading *r);

/*
 * Answers the request whose headers have come; a page is made if nobody has asked for it in this
 * interval. MHD_NO: it cannot be answered, the connection is to be closed.
 */
enum MHD_Result listener_pages_answer(struct listener_pages *pages,
				      struct MHD_Connection *connection, const char *path,
				      const char *method);

/* How many pages were made until now, of either format. */
uint64_t listener_pages_made(const struct listener_pages *pages);

/* NULL is fine. Not before all connections are closed. */
void listener_pages_close(struct listener_pages *pages);

#endif
