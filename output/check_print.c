// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --check's rows: as lines to read, as JSON to process. */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>
#include "common/log.h"
#include "output/check_print.h"
#include "output/json_object.h"

static void print_row(FILE *out, const struct check_row *row)
{
	fprintf(out, "%-4s %-6s  %-20s  %s\n", row->available ? "yes" : "no", row->group, row->name,
		row->how);
	if (row->lost)
		fprintf(out, "%*slost: %s\n", 13, "", row->lost);
	if (row->todo)
		fprintf(out, "%*sdo: %s\n", 13, "", row->todo);
}

static int print_json(FILE *out, const struct check_row *row)
{
	struct json_object *object = json_object_new_object();

	if (!object)
		return -ENOMEM;
	json_add_count(object, "schema", 1);
	json_add_text(object, "type", "check");
	json_add_text(object, "group", row->group);
	json_add_text(object, "name", row->name);
	json_object_object_add(object, "available", json_object_new_boolean(row->available));
	json_add_text(object, "how", row->how);
	if (row->lost)
		json_add_text(object, "lost", row->lost);
	else
		json_add_null(object, "lost");
	if (row->todo)
		json_add_text(object, "todo", row->todo);
	else
		json_add_null(object, "todo");
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
							       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
	return 0;
}

int check_print(FILE *out, const struct check *check, enum output_format format)
{
	int err = 0;

	if (format != FORMAT_JSON)
		fprintf(out, "%-4s %-6s  %-20s  %s\n", "", "", "FEATURE", "HOW");
	for (size_t i = 0; !err && i < check->count; i++) {
		if (format == FORMAT_JSON)
			err = print_json(out, &check->rows[i]);
		else
			print_row(out, &check->rows[i]);
	}
	if (!err && (fflush(out) || ferror(out)))
		err = -(errno ? errno : EIO);
	if (err == -EPIPE)
		return 0;
	if (err)
		log_error("standard output: cannot be written: %s", strerror(-err));
	return err;
}
