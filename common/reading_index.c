/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The index of a reading's arrays: open addressing with linear probing, at most half full. */
#include <stdlib.h>
#include <string.h>
#include "common/reading_index.h"

#define SLOTS_MIN    16
#define CAPACITY_MIN 4

static uint64_t key_hash(const struct sums_key *key)
{
	uint64_t hash = ((uint64_t)key->sid << 32 | key->cid) * 0x9e3779b97f4a7c15ULL;

	hash = (hash ^ hash >> 29 ^ key->lun) * 0xbf58476d1ce4e5b9ULL;
	hash = (hash ^ hash >> 32 ^ key->op ^ (uint64_t)key->size_class << 8) *
	       0x94d049bb133111ebULL;
	return hash ^ hash >> 31;
}

static bool key_equal(const struct sums_key *a, const struct sums_key *b)
{
	return a->sid == b->sid && a->cid == b->cid && a->lun == b->lun && a->op == b->op &&
	       a->size_class == b->size_class;
}

static void *item_at(const struct reading_array *array, size_t position)
{
	return (char *)array->items + position * array->item_size;
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t find_slot(const struct reading_index *index, const struct reading_array *array,
			const struct sums_key *key)
{
	size_t slot = key_hash(key) & (index->slot_count - 1);
	struct sums_key other;

	while (index->slots[slot]) {
		array->get_key(item_at(array, index->slots[slot] - 1), &other);
		if (key_equal(key, &other))
			break;
		slot = (slot + 1) & (index->slot_count - 1);
	}
	return slot;
}

static int index_rebuild(struct reading_index *index, const struct reading_array *array)
{
	size_t slot_count = SLOTS_MIN;
	struct sums_key key;
	uint32_t *slots;

	/* Room to double before the next rebuild. */
	while (slot_count < 4 * (array->count + 1))
		slot_count *= 2;
	slots = calloc(slot_count, sizeof(*slots));
	if (!slots)
		return -1;
	free(index->slots);
	index->slots = slots;
	index->slot_count = slot_count;
	for (size_t i = 0; i < array->count; i++) {
		array->get_key(item_at(array, i), &key);
		slots[find_slot(index, array, &key)] = i + 1;
	}
	index->indexed = array->count;
	return 0;
}

static int array_grow(struct reading_index *index, struct reading_array *array)
{
	size_t capacity = array->count < CAPACITY_MIN ? CAPACITY_MIN : 2 * array->count;
	void *items = realloc(array->items, capacity * array->item_size);

	if (!items)
		return -1;
	array->items = items;
	index->capacity = capacity;
	return 0;
}

static void *find_linear(const struct reading_array *array, const struct sums_key *key)
{
	struct sums_key other;

	for (size_t i = 0; i < array->count; i++) {
		array->get_key(item_at(array, i), &other);
		if (key_equal(key, &other))
			return item_at(array, i);
	}
	return NULL;
}

void *reading_index_find(const struct reading_index *index, const struct reading_array *array,
			 const struct sums_key *key)
{
	size_t slot;

	/* Somebody filled the array by hand: right, if slow. */
	if (index->indexed != array->count)
		return find_linear(array, key);
	if (!array->count)
		return NULL;
	slot = find_slot(index, array, key);
	return index->slots[slot] ? item_at(array, index->slots[slot] - 1) : NULL;
}

void *reading_index_item(struct reading_index *index, struct reading_array *array,
			 const struct sums_key *key)
{
	size_t slot;
	void *item;

	if (index->indexed != array->count || 2 * (array->count + 1) > index->slot_count) {
		if (index_rebuild(index, array))
			return NULL;
	}
	slot = find_slot(index, array, key);
	if (index->slots[slot])
		return item_at(array, index->slots[slot] - 1);
	if (array->count >= index->capacity && array_grow(index, array))
		return NULL;
	item = item_at(array, array->count);
	memset(item, 0, array->item_size);
	index->slots[slot] = ++array->count;
	index->indexed = array->count;
	return item;
}

void reading_index_deinit(struct reading_index *index)
{
	free(index->slots);
	*index = (struct reading_index){0};
}
