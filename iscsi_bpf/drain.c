// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Batched draining of hash maps, and the loop for kernels without them. */
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
		bpf_map_delete_elem(d->map_fd, key);
		if (last)
			break;
		key = next;
		next = key == keys ? keys + d->key_size : keys;
	}
	return 0;
}

/* Room for a batch. */
struct batch {
	void *keys;
	void *values;
	__u32 size; /* entries */
};

static int batch_resize(struct batch *b, const struct drain *d, __u32 size)
{
	void *keys = realloc(b->keys, size * d->key_size);
	void *values = keys ? realloc(b->values, size * d->value_size) : NULL;

	if (keys)
		b->keys = keys;
	if (!values)
		return -ENOMEM;
	b->values = values;
	b->size = size;
	return 0;
}

static int read_batch(const struct drain *d, const struct batch *b, uint64_t *in, uint64_t *out,
		      __u32 *count)
{
	LIBBPF_OPTS(bpf_map_batch_opts, opts);

	*count = b->size;
	return bpf_map_lookup_and_delete_batch(d->map_fd, in, out, b->keys, b->values, count,
					       &opts);
}

static int hand_out(const struct drain *d, const struct batch *b, __u32 count)
{
	int err = 0;

	for (__u32 i = 0; i < count && !err; i++)
		err = d->each(d->arg, (char *)b->keys + i * d->key_size,
			      (char *)b->values + i * d->value_size);
	return err;
}

/* -EINVAL before anything was handed out: this kernel has no batches for the map. */
static int drain_batches(const struct drain *d, struct batch *b)
{
	uint64_t cursor, next;
	uint64_t *in = NULL; /* NULL: from the beginning */
	__u32 count;
	int err, stop;

	do {
		err = read_batch(d, b, in, &next, &count);
		/* A hash bucket holds more than the batch: nothing was read, once more. */
		if (err == -ENOSPC) {
			err = batch_resize(b, d, b->size * 4);
			if (err)
				return err;
			continue;
		}
		if (err && err != -ENOENT)
			return err;
		stop = hand_out(d, b, count);
		if (stop)
			return stop;
		cursor = next;
		in = &cursor;
	} while (!err);
	return 0;
}

int drain_map(const struct drain *d)
{
	struct batch b = {0};
	int err = batch_resize(&b, d, BATCH);

	if (!err)
		err = drain_batches(d, &b);
	free(b.keys);
	free(b.values);
	return err == -EINVAL ? drain_one_by_one(d) : err;
}
