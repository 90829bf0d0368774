/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which fields are the columns of a table. */
#include "output/columns.h"

#include <stdio.h>
#include <string.h>
#include "common/group.h"

static const char *const rates[] = {"r/s", "w/s", "rMB/s", "wMB/s", "aqu", "avg"};
static const char *const shares[] = {"max", "host", "target+net", "WORST"};
static const char *const stages[] = {"block",	 "busy",   "queue",   "send", "r2t",
				     "data_out", "target", "data_in", "done"};
static const char *const fates[] = {"o/s",     "infl",	  "oldest",  "errors",
				    "refused", "retries", "aborted", "disrupted"};

#define ADD_ALL(columns, names) add_all(columns, names, sizeof(names) / sizeof(names[0]))

static void add(struct columns *columns, const struct field *field)
{
	if (field && columns->count < COLUMNS_MAX)
		columns->column[columns->count++].field = *field;
}

static void add_all(struct columns *columns, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(columns, field_find(names[i]));
}

/* Which keys are shown for what was asked. */
static uint32_t keys_shown(uint32_t by)
{
	uint32_t keys = by;

	if (by == BY_DEFAULT)
		keys &= ~(uint32_t)BY_CID;
	if (by & BY_SID)
		keys |= BY_TARGET;
	if ((by & (BY_SID | BY_LUN)) == (BY_SID | BY_LUN))
		keys |= BY_DISK;
	return keys;
}

static void add_keys(struct columns *columns, uint32_t by)
{
	uint32_t keys = keys_shown(by);

	/* Gauges further below need keys, too, but are none. */
	for (size_t i = 0; i < field_count && fields[i].keys; i++) {
		if (fields[i].keys & keys)
			add(columns, &fields[i]);
	}
}

static void add_gauges(struct columns *columns, uint32_t keys)
{
	if (keys & BY_SID)
		add(columns, field_find("window"));
	if (keys & BY_DISK)
		add(columns, field_find("qdepth"));
}

/* "p99.95", and for a stage of its own "send:p99.95". */
static void add_percentile(struct columns *columns, uint32_t stage, double percent)
{
	struct column *column = &columns->column[columns->count];
	const char *owner = stage == STAGE_TOTAL ? "" : iscsi_stage_name(stage);
	char text[16];
	int length;

	if (columns->count >= COLUMNS_MAX)
		return;
	add(columns, field_find("p99"));
	field_percent_text(percent, '.', text, sizeof(text));
	length = snprintf(column->name, sizeof(column->name), "%s%sp%s", owner, *owner ? ":" : "",
			  text);
	column->field.name = column->name;
	column->field.stage = stage;
	column->field.percent = percent;
	if (column->field.width < length)
		column->field.width = length;
}

static void add_percentiles(struct columns *columns, uint32_t stage, const struct options *options)
{
	for (uint32_t i = 0; i < options->percentile_count; i++)
		add_percentile(columns, stage, options->percentiles[i]);
}

static void add_stages(struct columns *columns, const struct options *options)
{
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		const struct field *field = field_find(stages[i]);

		add(columns, field);
		add_percentiles(columns, field->stage, options);
	}
}

void columns_init(struct columns *columns, uint32_t by, const struct options *options)
{
	columns->count = 0;
	add_keys(columns, by);
	ADD_ALL(columns, rates);
	if (options->percentile_count > 0)
		add_percentiles(columns, STAGE_TOTAL, options);
	else
		add(columns, field_find("p99"));
	ADD_ALL(columns, shares);
	if (!options->extended)
		return;
	add_stages(columns, options);
	ADD_ALL(columns, fates);
	add_gauges(columns, group_closure(by));
}

bool column_is_name(const struct column *column)
{
	return column->field.type == FIELD_STRING &&
	       column->field.keys & (BY_TARGET | BY_INITIATOR | BY_PORTAL | BY_DISK | BY_MPATH);
}
