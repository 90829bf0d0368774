/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds an item of one of a reading's arrays by its key, in constant time; private to common/. */
#ifndef STORPROTOTRACE_READING_INDEX_H
#define STORPROTOTRACE_READING_INDEX_H

#include "common/reading.h"

/* One of the arrays, whatever its items are. */
struct reading_array {
	void *items;
	size_t count;
	size_t item_size;
	void (*get_key)(const void *item, struct sums_key *key);
};

/* The key's item; NULL: not there. */
void *reading_index_find(const struct reading_index *index, const struct reading_array *array,
			 const struct sums_key *key);

/*
 * The key's item, appended zeroed when missing: array->items and ->count then change, and the
 * caller sets the item's key. NULL: out of memory, nothing changed.
 */
void *reading_index_item(struct reading_index *index, struct reading_array *array,
			 const struct sums_key *key);

/* Frees what the index owns (not the array) and leaves it empty. */
void reading_index_deinit(struct reading_index *index);

#endif
