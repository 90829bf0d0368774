/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Empties whole BPF hash maps, by batches where the kernel has them. */
#ifndef STORPROTOTRACE_DRAIN_H
#define STORPROTOTRACE_DRAIN_H

#include <stddef.h>

/* Called per entry. Returning non-zero stops and is returned. */
typedef int (*drain_fn)(void *arg, const void *key, const void *value);

struct drain {
	int map_fd;
	size_t key_size;
	size_t value_size;
	drain_fn each;
	void *arg;
};

/* Calls `each` for every entry of a map that nobody writes to, and deletes it. 0 or -errno. */
int drain_map(const struct drain *drain);

#endif
