/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --columns: lists the columns there are, or looks at the names of those chosen. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "output/columns.h"
#include "output/member.h"

static void list_columns(const struct member_list *members, FILE *out)
{
	if (!members) {
		field_help(out);
		fputs("Percentiles of the total by any number, like p99.95; of a stage, "
		      "target:p99.\n",
		      out);
		return;
	}
	for (size_t i = 0; i < members->count; i++)
		fprintf(out, "%s\n", members->member[i].name);
}

static bool is_known(const struct member_list *members, const char *name, size_t length)
{
	struct column column;

	return members ? members_find(members, name, length) != NULL
		       : column_by_name(&column, name, length);
}

static int look_at_names(const struct member_list *members, const char *list)
{
	for (size_t count = 1;; count++) {
		size_t length = strcspn(list, ",");

		if (!is_known(members, list, length)) {
			log_error("unknown column '%.*s' for --columns: there is none of that name",
				  (int)length, list);
			log_hint("storprototrace %s--columns help lists them",
				 members ? "-f csv " : "");
			return -EINVAL;
		}
		if (count > COLUMNS_MAX) {
			log_error("bad value for --columns: expected at most %d columns",
				  (int)COLUMNS_MAX);
			return -EINVAL;
		}
		if (!list[length])
			return 0;
		list += length + 1;
	}
}

int columns_choose(const struct options *options, FILE *out)
{
	cleanup_free struct member_list *members = NULL;

	if (options->format == FORMAT_CSV) {
		members = malloc(sizeof(*members));
		if (!members)
			return -ENOMEM;
		members_init(members, options);
	}
	if (strcmp(options->columns, "help") == 0) {
		list_columns(members, out);
		return 1;
	}
	return look_at_names(members, options->columns);
}
