/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a heatmap keeps of each interval. */
#include "output/heatmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "output/metrics.h"

static void map_free(struct heatmap_map *map)
{
	free(map->labels);
	free(map->bucket);
	free(map);
}

/* A map of no commands so far, at the end. NULL: out of memory. `labels` is its own then. */
static struct heatmap_map *add_map(struct heatmap_page *page, char *labels)
{
	struct heatmap_map **maps =
		reallocarray(page->maps, page->map_count + 1, sizeof(*page->maps));
	struct heatmap_map *map;

	if (!maps)
		return NULL;
	page->maps = maps;
	map = calloc(1, sizeof(*map));
	if (!map)
		return NULL;
	map->bucket = calloc(HEATMAP_WIDTH_MAX, sizeof(*map->bucket));
	if (!map->bucket) {
		free(map);
		return NULL;
	}
	map->labels = labels;
	page->maps[page->map_count++] = map;
	return map;
}

static struct heatmap_map *find_map(struct heatmap_page *page, const struct iscsi_stats *stats)
{
	char *labels = metrics_labels(stats);
	struct heatmap_map *map = NULL;

	if (!labels)
		return NULL;
	for (size_t i = 0; i < page->map_count && !map; i++)
		if (strcmp(page->maps[i]->labels, labels) == 0)
			map = page->maps[i];
	if (map) {
		free(labels);
		return map;
	}
	map = add_map(page, labels);
	if (!map) {
		free(labels);
		return NULL;
	}
	histogram_whose(stats, map->whose);
	return map;
}

static int add_record(struct heatmap_page *page, const struct iscsi_stats *stats)
{
	struct heatmap_map *map = find_map(page, stats);

	if (!map)
		return -ENOMEM;
	map->known = stats->stages[page->stage].known;
	map->current = true;
	map->commands[page->count] = stats->stages[page->stage].count;
	if (stats->hists && map->known)
		memcpy(map->bucket[page->count], stats->hists->bucket[page->stage],
		       sizeof(*map->bucket));
	return 0;
}

int heatmap_add(struct heatmap_page *page, const struct reading *r, const struct records *records)
{
	int err = 0;

	for (size_t i = 0; i < page->map_count; i++) {
		struct heatmap_map *map = page->maps[i];

		map->current = false;
		map->commands[page->count] = 0;
		memset(map->bucket[page->count], 0, sizeof(*map->bucket));
	}
	for (size_t i = 0; i < records->count && !err; i++)
		err = add_record(page, &records->records[i]);
	page->column[page->count++] = (struct heatmap_column){
		.end_ns = r->start_ns + r->length_ns,
		.length_ns = r->length_ns,
		.marked = records->event_count > 0,
	};
	return err;
}

/* Does it have a record or a command still? */
static bool is_needed(const struct heatmap_page *page, const struct heatmap_map *map)
{
	bool needed = map->current && page->count > 0;

	for (size_t i = 0; i < page->count && !needed; i++)
		needed = map->commands[i] > 0;
	return needed;
}

void heatmap_keep(struct heatmap_page *page, size_t keep)
{
	size_t gone = page->count > keep ? page->count - keep : 0, kept = 0;

	page->count -= gone;
	memmove(page->column, page->column + gone, page->count * sizeof(*page->column));
	for (size_t i = 0; i < page->map_count; i++) {
		struct heatmap_map *map = page->maps[i];

		memmove(map->bucket, map->bucket + gone, page->count * sizeof(*map->bucket));
		memmove(map->commands, map->commands + gone, page->count * sizeof(*map->commands));
		if (is_needed(page, map))
			page->maps[kept++] = map;
		else
			map_free(map);
	}
	page->map_count = kept;
}

void heatmap_deinit(struct heatmap_page *page)
{
	for (size_t i = 0; i < page->map_count; i++)
		map_free(page->maps[i]);
	free(page->maps);
}
