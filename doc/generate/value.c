// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What options' values can be: from the tables that values are parsed by. */
#include <string.h>
#include "cli_parser/option_set.h"
#include "common/hook_info.h"
#include "doc/generate/generate.h"
#include "output/field.h"

/* What the kernel and this host's sessions decide, by option. */
static const struct {
	int id;
	const char *what;
} here[] = {
	{'t', "targets"}, {'i', "initiators"}, {'s', "sids"},
	{'c', "cids"},	  {'l', "luns"},       {'d', "disks"},
};

const char *value_here(const struct cli_option *option)
{
	for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++) {
		if (here[i].id == option->id)
			return here[i].what;
	}
	return NULL;
}

enum value_kind value_kind(const struct cli_option *option)
{
	size_t count;
	bool list;

	if (!option->argument)
		return KIND_NONE;
	if (strcmp(option->argument, "FILE") == 0)
		return KIND_FILE;
	if (value_here(option))
		return KIND_HERE;
	if (option->id == ID_COLUMNS)
		return KIND_LIST;
	if (option->id == ID_WITHOUT)
		return KIND_WORD;
	if (option_words(option, &count, &list))
		return list ? KIND_LIST : KIND_WORD;
	return KIND_OTHER;
}

void value_words(const struct cli_option *option, const char *before, FILE *out)
{
	size_t count = 0;
	bool list;
	const struct word *words = option_words(option, &count, &list);

	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", before, words[i].text);
	for (size_t i = 0; option->id == ID_COLUMNS && i < field_count; i++)
		fprintf(out, "%s%s", before, fields[i].name);
	if (option->id == ID_COLUMNS)
		fprintf(out, "%shelp", before);
	for (size_t i = 0; option->id == ID_WITHOUT && i < HOOK_INFO_COUNT; i++)
		fprintf(out, "%s%s", before, hook_infos[i].name);
}

bool value_repeats(const struct cli_option *option)
{
	return option->section == SECTION_FILTER || option->set == option_set_more ||
	       option->set == option_add_without || option->set == option_set_module_btf;
}
