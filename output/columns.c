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

uint32_t columns_keys(uint32_t by)
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
	uint32_t keys = columns_keys(by);

	for (size_t i = 0; i < field_count; i++) {
		if (field_is_key(&fields[i]) && (fields[i].keys & keys))
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
static void percentile_init(struct column *column, uint32_t stage, double percent)
{
	const char *owner = stage == STAGE_TOTAL ? "" : iscsi_stage_name(stage);
	char text[16];
	int length;

	column->field = *field_find("p99");
	field_percent_text(percent, '.', text, sizeof(text));
	length = snprintf(column->name, sizeof(column->name), "%s%sp%s", owner, *owner ? ":" : "",
			  text);
	column->field.name = column->name;
	column->field.stage = stage;
	column->field.percent = percent;
	if (column->field.width < length)
		column->field.width = length;
}

static void add_percentile(struct columns *columns, uint32_t stage, double percent)
{
	if (columns->count < COLUMNS_MAX)
		percentile_init(&columns->column[columns->count++], stage, percent);
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

/* Up to 100, with at most four decimals, as -p takes them; 0: it is none. */
static double percent_of(const char *text)
{
	size_t whole = strspn(text, "0123456789");
	size_t decimals = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
	unsigned int value = 0;

	if (whole == 0 || whole > 3 || decimals > 4 || (text[whole] == '.' && decimals == 0) ||
	    text[whole + (decimals ? 1 + decimals : 0)])
		return 0;
	for (size_t i = 0; i < whole; i++)
		value = 10 * value + (text[i] - '0');
	for (size_t i = 1; i <= 4; i++)
		value = 10 * value + (i <= decimals ? text[whole + i] - '0' : 0);
	return value <= 1000000 ? value / 1e4 : 0;
}

/* The stage that "send:p99" begins with, which `*text` is moved behind; else the total. */
static uint32_t stage_of(const char **text)
{
	size_t length = strcspn(*text, ":");

	for (uint32_t stage = 0; stage < STAGE_TOTAL; stage++) {
		const char *name = iscsi_stage_name(stage);

		if (!(*text)[length] || strlen(name) != length || memcmp(name, *text, length))
			continue;
		*text += length + 1;
		return stage;
	}
	return STAGE_TOTAL;
}

bool column_by_name(struct column *column, const char *name, size_t length)
{
	const char *text = column->name;
	const struct field *field;
	uint32_t stage;
	double percent;

	if (length >= sizeof(column->name))
		return false;
	memcpy(column->name, name, length);
	column->name[length] = '\0';
	field = field_find(column->name);
	if (field) {
		column->field = *field;
		return true;
	}
	stage = stage_of(&text);
	percent = *text == 'p' ? percent_of(text + 1) : 0;
	if (percent > 0)
		percentile_init(column, stage, percent);
	return percent > 0;
}

static void add_chosen(struct columns *columns, const char *list)
{
	while (columns->count < COLUMNS_MAX) {
		size_t length = strcspn(list, ",");

		if (column_by_name(&columns->column[columns->count], list, length))
			columns->count++;
		if (!list[length])
			break;
		list += length + 1;
	}
}

void columns_init(struct columns *columns, uint32_t by, const struct options *options)
{
	columns->count = 0;
	if (options->columns) {
		add_chosen(columns, options->columns);
		return;
	}
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
