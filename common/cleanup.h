/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Scope guards: what a variable owns is released when it goes out of scope. */
#ifndef STORPROTOTRACE_CLEANUP_H
#define STORPROTOTRACE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free_pointer(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

#define cleanup_free __attribute__((cleanup(cleanup_free_pointer))) /* pointer from malloc */
#define cleanup_fd   __attribute__((cleanup(cleanup_close_fd)))     /* int, -1: none */
#define cleanup_file __attribute__((cleanup(cleanup_close_file)))   /* FILE *, NULL: none */

#endif
