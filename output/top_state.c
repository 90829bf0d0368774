/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The live screen's keys, groupings and cursor. */
#include "output/top_state.h"

#include <stdio.h>
#include <string.h>
#include "common/group.h"

#define SORTED_BY_DEFAULT "aqu" /* who takes most of the time */

/* What one may want to know one after the other; the options' own comes first. */
static const uint32_t groupings[] = {
	BY_SID | BY_CID, BY_SID | BY_LUN, BY_DISK,	   BY_MPATH,
	BY_TARGET,	 BY_PORTAL,	  BY_INITIATOR,	   BY_OP,
	BY_SID | BY_OP,	 BY_DISK | BY_OP, BY_SIZE | BY_OP,
};

void top_state_init(struct top_state *state, const struct options *options)
{
	*state = (struct top_state){.options = *options, .stage = STAGE_TOTAL, .page_rows = 1};
	state->groupings[state->grouping_count++] = options->by;
	for (size_t i = 0; i < sizeof(groupings) / sizeof(groupings[0]); i++) {
		if (groupings[i] != options->by)
			state->groupings[state->grouping_count++] = groupings[i];
	}
	strcpy(state->sort, SORTED_BY_DEFAULT);
}

static size_t find_column(const struct columns *columns, const char *name)
{
	size_t i = 0;

	while (i < columns->count && strcmp(columns->column[i].field.name, name) != 0)
		i++;
	return i;
}

size_t top_state_sort_column(const struct top_state *state, const struct columns *columns)
{
	size_t i = find_column(columns, state->sort);

	if (i == columns->count)
		i = find_column(columns, SORTED_BY_DEFAULT);
	for (size_t at = 0; i == columns->count && at < columns->count; at++) {
		if (!field_is_key(&columns->column[at].field))
			i = at;
	}
	return i == columns->count ? 0 : i;
}

bool top_state_descending(const struct top_state *state, const struct columns *columns)
{
	const struct field *field = &columns->column[top_state_sort_column(state, columns)].field;
	bool usual = !field_is_key(field) && field->type != FIELD_STRING;

	/* Another column than the one that was reversed, for want of that, is not. */
	return usual != (state->reversed && strcmp(field->name, state->sort) == 0);
}

/* The first rows are what one wants to see of a new order. */
static enum top_effect to_top(struct top_state *state, enum top_effect effect)
{
	state->cursor = 0;
	state->held = false;
	return effect;
}

static enum top_effect move_sort(struct top_state *state, const struct columns *columns, int step)
{
	size_t at = top_state_sort_column(state, columns);

	if ((step < 0 && at == 0) || (step > 0 && at + 1 >= columns->count))
		return TOP_NOTHING;
	at = step < 0 ? at - 1 : at + 1;
	snprintf(state->sort, sizeof(state->sort), "%s", columns->column[at].field.name);
	state->reversed = false;
	return to_top(state, TOP_RESORT);
}

static enum top_effect next_grouping(struct top_state *state, size_t step)
{
	size_t at = 0;

	while (state->groupings[at] != state->options.by)
		at++;
	state->options.by = state->groupings[(at + step) % state->grouping_count];
	return to_top(state, TOP_REGROUP);
}

/* Who goes to the first row wants to see what comes first, whatever that is. */
static enum top_effect move_cursor(struct top_state *state, size_t to,
				   const struct records *records)
{
	size_t rows = records->count;

	state->cursor = to < rows ? to : rows ? rows - 1 : 0;
	state->held = false;
	top_state_follow(state, records);
	state->held = state->cursor > 0;
	return TOP_REDRAW;
}

static enum top_effect show(struct top_state *state, enum top_page page)
{
	state->page = page;
	return TOP_REDRAW;
}

static enum top_effect key_in_rows(struct top_state *state, int key, const struct columns *columns,
				   const struct records *records)
{
	size_t at = state->cursor, page = state->page_rows;

	switch (key) {
	case TOP_KEY_UP:
		return move_cursor(state, at ? at - 1 : 0, records);
	case TOP_KEY_DOWN:
		return move_cursor(state, at + 1, records);
	case TOP_KEY_PAGE_UP:
		return move_cursor(state, at > page ? at - page : 0, records);
	case TOP_KEY_PAGE_DOWN:
		return move_cursor(state, at + page, records);
	case TOP_KEY_HOME:
		return move_cursor(state, 0, records);
	case TOP_KEY_END:
		return move_cursor(state, records->count, records);
	case TOP_KEY_LEFT:
	case '<':
		return move_sort(state, columns, -1);
	case TOP_KEY_RIGHT:
	case '>':
		return move_sort(state, columns, 1);
	case TOP_KEY_ENTER:
		if (!state->has_chosen)
			return TOP_NOTHING;
		state->held = true;
		return show(state, TOP_OPENED);
	}
	return TOP_NOTHING;
}

static enum top_effect show_stage(struct top_state *state, uint32_t stage)
{
	state->stage = stage % STAGE_COUNT;
	state->scroll = 0;
	return TOP_REDRAW;
}

static enum top_effect key_in_opened(struct top_state *state, int key)
{
	switch (key) {
	case TOP_KEY_UP:
		return show_stage(state, state->stage + STAGE_COUNT - 1);
	case TOP_KEY_DOWN:
		return show_stage(state, state->stage + 1);
	case TOP_KEY_PAGE_UP:
		state->scroll -=
			state->scroll < state->page_rows ? state->scroll : state->page_rows;
		return TOP_REDRAW;
	case TOP_KEY_PAGE_DOWN:
		state->scroll += state->page_rows;
		return TOP_REDRAW;
	case TOP_KEY_ENTER:
	case TOP_KEY_BACK:
	case TOP_KEY_LEFT:
		return show(state, TOP_ROWS);
	}
	return TOP_NOTHING;
}

/* Keys that have their meaning wherever there are rows. */
static enum top_effect key_of_rows(struct top_state *state, int key)
{
	switch (key) {
	case 'r':
		state->reversed = !state->reversed;
		return to_top(state, TOP_RESORT);
	case 'g':
		return next_grouping(state, 1);
	case 'G':
		return next_grouping(state, state->grouping_count - 1);
	case 'x':
		state->options.extended = !state->options.extended;
		return TOP_REGROUP;
	case 'z':
		state->options.hide_idle = !state->options.hide_idle;
		return TOP_REGROUP;
	}
	return TOP_NOTHING;
}

enum top_effect top_state_key(struct top_state *state, int key, const struct columns *columns,
			      const struct records *records)
{
	enum top_effect effect;

	if (key == 'q')
		return TOP_QUIT;
	if (key == TOP_KEY_RESIZED)
		return TOP_REDRAW;
	if (state->page == TOP_HELP)
		return key == TOP_KEY_NONE ? TOP_NOTHING : show(state, state->before_help);
	if (key == '?' || key == 'h') {
		state->before_help = state->page;
		return show(state, TOP_HELP);
	}
	if (state->page == TOP_OPENED)
		return key_in_opened(state, key);
	effect = key_of_rows(state, key);
	return effect == TOP_NOTHING ? key_in_rows(state, key, columns, records) : effect;
}

bool top_state_same(const struct iscsi_stats *a, const struct iscsi_stats *b)
{
	return a->keys == b->keys && a->sid == b->sid && a->cid == b->cid && a->lun == b->lun &&
	       a->op == b->op && a->size_class == b->size_class &&
	       strcmp(a->target_name, b->target_name) == 0 &&
	       strcmp(a->initiator_name, b->initiator_name) == 0 &&
	       strcmp(a->portal, b->portal) == 0 && strcmp(a->disk, b->disk) == 0 &&
	       strcmp(a->mpath, b->mpath) == 0;
}

static bool find_chosen(struct top_state *state, const struct records *records)
{
	for (size_t i = 0; i < records->count; i++) {
		if (top_state_same(&state->chosen, &records->records[i])) {
			state->cursor = i;
			return true;
		}
	}
	return false;
}

void top_state_follow(struct top_state *state, const struct records *records)
{
	if (state->held && (find_chosen(state, records) || state->page != TOP_ROWS))
		return;
	if (state->cursor >= records->count)
		state->cursor = records->count ? records->count - 1 : 0;
	state->has_chosen = records->count > 0;
	if (!state->has_chosen)
		return;
	state->chosen = records->records[state->cursor];
	state->chosen.hists = NULL;
}

void top_state_grouping(uint32_t by, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < field_count; i++) {
		size_t used = strlen(text);

		if (field_is_key(&fields[i]) && (fields[i].keys & by))
			snprintf(text + used, size - used, "%s%s", used ? "," : "", fields[i].json);
	}
}
