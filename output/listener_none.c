/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The listener of a build without libmicrohttpd: --listen is refused there, so there never is one.
 */
#include "output/listener.h"

#include <stddef.h>

int listener_open(const struct options *options, struct listener **out)
{
	(void)options;
	*out = NULL;
	return 0;
}

int listener_fd(const struct listener *listener)
{
	(void)listener;
	return -1;
}

int listener_ready(void *listener)
{
	(void)listener;
	return 0;
}

int listener_interval(struct listener *listener, const struct reading *r)
{
	(void)listener;
	(void)r;
	return 0;
}

void listener_close(struct listener *listener)
{
	(void)listener;
}
