// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The field table as the manual page's FIELDS. */
#include <string.h>
#include "doc/generate/generate.h"
#include "output/columns.h"

/* Where a field is shown. */
enum shown {
	SHOWN_KEY,
	SHOWN_ALWAYS,
	SHOWN_EXTENDED,
	SHOWN_CHOSEN,
	SHOWN_COUNT,
};

static const char *const headings[SHOWN_COUNT] = {
	[SHOWN_KEY] = "Whose row it is",
	[SHOWN_ALWAYS] = "Every table",
	[SHOWN_EXTENDED] = "With -x as well",
	[SHOWN_CHOSEN] = "Where --columns chooses them",
};

static bool is_column(const struct columns *columns, const struct field *field)
{
	for (size_t i = 0; i < columns->count; i++) {
		if (strcmp(columns->column[i].field.name, field->name) == 0)
			return true;
	}
	return false;
}

/* Asks the table itself, grouped by what makes every column appear. */
static enum shown shown_where(const struct field *field)
{
	struct columns columns;
	struct options options;
	enum shown where = SHOWN_CHOSEN;

	if (field_is_key(field))
		return SHOWN_KEY;
	options_init(&options);
	columns_init(&columns, BY_SID | BY_LUN, &options);
	if (is_column(&columns, field)) {
		where = SHOWN_ALWAYS;
	} else {
		options.extended = true;
		columns_init(&columns, BY_SID | BY_LUN, &options);
		if (is_column(&columns, field))
			where = SHOWN_EXTENDED;
	}
	options_deinit(&options);
	return where;
}

static void print_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		switch (*text) {
		case '\\':
			fputs("\\e", out);
			break;
		case '^':
			fputs("\\(ha", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

static void print_fields(enum shown where, FILE *out)
{
	fprintf(out, ".Ss %s\n.Bl -tag -width target+net -compact\n", headings[where]);
	for (size_t i = 0; i < field_count; i++) {
		if (shown_where(&fields[i]) != where)
			continue;
		fprintf(out, ".It Li %s\n", fields[i].name);
		print_text(fields[i].help, out);
		if (fields[i].unit[0])
			fprintf(out, " [%s]", fields[i].unit);
		fputc('\n', out);
	}
	fputs(".El\n", out);
}

void man_fields(FILE *out)
{
	for (int where = 0; where < SHOWN_COUNT; where++)
		print_fields(where, out);
}
