// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Batched reads of hash maps, and the loop for kernels without them. */
#include <errno.h>
#include <stdint.h>
#include <bpf/bpf.h>
#include "common/cleanup.h"
#include "iscsi_bpf/drain.h"

#define BATCH 128

/* One entry at a time: kernels before 5.6 have no batches. */
static int drain_one_by_one(const struct drain *d)
{
	cleanup_free char *keys = malloc(2 * d->key_size), *value = malloc(d->value_size);
	char *key = keys, *next;
	int err;

	if (!keys || !value)
		return -ENOMEM;
	next = keys + d->key_size;
	err = bpf_map_get_next_key(d->map_fd, NULL, key);
	while (!err) {
		int last = bpf_map_get_next_key(d->map_fd, key, next);

		if (!bpf_map_lookup_elem(d->map_fd, key, value)) {
			err = d->each(d->arg, key, value);
			if (err)
				return err;
		}
		if (!d->keep)
			bpf_map_delete_elem(d->map_fd, key);
		if (last)
			break;
		key = next;
		next = key == keys ? keys + d->key_size : keys;
	}
	return 0;
}

static int read_batch(const struct drain *d, uint64_t *cursor, bool first, void **buffers,
		      __u32 *count)
{
	LIBBPF_OPTS(bpf_map_batch_opts, opts);
	void *in = first ? NULL : cursor;

	if (d->keep)
		return bpf_map_lookup_batch(d->map_fd, in, cursor, buffers[0], buffers[1], count,
					    &opts);
	return bpf_map_lookup_and_delete_batch(d->map_fd, in, cursor, buffers[0], buffers[1], count,
					       &opts);
}

/* Batches of `size` entries; -ENOSPC: a hash bucket holds more than that. */
static int drain_batches(const struct drain *d, __u32 size, bool *started)
{
	cleanup_free char *keys = malloc(size * d->key_size),
			  *values = malloc(size * d->value_size);
	void *buffers[] = {keys, values};
	uint64_t cursor = 0;
	bool first = true;
	int err;

	if (!keys || !values)
		return -ENOMEM;
	do {
		__u32 count = size;

		err = read_batch(d, &cursor, first, buffers, &count);
		if (err && err != -ENOENT)
			return err;
		*started = true;
		first = false;
		for (__u32 i = 0; i < count; i++) {
			int stop =
				d->each(d->arg, keys + i * d->key_size, values + i * d->value_size);

			if (stop)
				return stop;
		}
	} while (!err);
	return 0;
}

int drain_map(const struct drain *d)
{
	bool started = false;
	__u32 size = BATCH;
	int err;

	do {
		err = drain_batches(d, size, &started);
		size *= 4;
		/*
		 * Nothing was given out or deleted before a bucket that did not fit at the very
		 * beginning; later, what was read before is gone from a drained map and would be
		 * repeated from a kept one.
		 */
	} while (err == -ENOSPC && (!started || !d->keep));
	return err && !started && err != -ENOMEM ? drain_one_by_one(d) : err;
}
