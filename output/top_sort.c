/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The live screen's order of rows. */
#define _GNU_SOURCE /* qsort_r */
#include "output/top_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"

struct sortable {
	struct field_value value;
	size_t place; /* before */
};

struct order {
	enum field_type type;
	bool descending;
};

static int compare_values(enum field_type type, const struct field_value *a,
			  const struct field_value *b)
{
	if (type == FIELD_STRING && a->count == b->count)
		return strcmp(a->text, b->text);
	if (type == FIELD_STRING || type == FIELD_COUNT)
		return (a->count > b->count) - (a->count < b->count);
	return (a->number > b->number) - (a->number < b->number);
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct sortable *x = a, *y = b;
	const struct order *order = arg;
	int result = 0;

	if (x->value.known != y->value.known)
		return x->value.known ? -1 : 1;
	if (x->value.known)
		result = compare_values(order->type, &x->value, &y->value);
	if (!result)
		return (x->place > y->place) - (x->place < y->place);
	return order->descending ? -result : result;
}

int top_state_sort(const struct top_state *state, const struct columns *columns,
		   struct records *records)
{
	const struct field *field = &columns->column[top_state_sort_column(state, columns)].field;
	struct order order = {field->type, top_state_descending(state, columns)};
	cleanup_free struct sortable *sortable = calloc(records->count + 1, sizeof(*sortable));
	struct iscsi_stats *sorted = calloc(records->count + 1, sizeof(*sorted));

	if (!sortable || !sorted) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < records->count; i++) {
		field->get(field, &records->records[i], &sortable[i].value);
		sortable[i].place = i;
	}
	qsort_r(sortable, records->count, sizeof(*sortable), compare, &order);
	for (size_t i = 0; i < records->count; i++)
		sorted[i] = records->records[sortable[i].place];
	free(records->records);
	records->records = sorted;
	return 0;
}
