/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The listener of a build without libmicrohttpd: --listen is refused there, so there never is one.
 */
#include "output/listener.h"

#include <stddef.h>

int listener_open(const struct options *options, struct sink **sink, struct listener **out)
{
	(void)options, (void)sink;
	*out = NULL;
	return 0;
}

void listener_close(struct listener *listener)
{
	(void)listener;
}
