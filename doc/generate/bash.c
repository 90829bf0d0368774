// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The option table as bash's completion needs it. */
#include <string.h>
#include "cli_parser/spelling.h"
#include "doc/generate/generate.h"

void bash_options(FILE *out)
{
	for (size_t i = 0; i < option_count; i++)
		fprintf(out, "\t\t--%s%s\n", option_table[i].name,
			i + 1 < option_count ? " \\" : "");
}

/* "-t | --target | -target", as a pattern of `case`. */
static void print_pattern(const struct cli_option *option, FILE *out)
{
	const char *published = spelling_published(option->name);

	fputc('\t', out);
	if (option->id < ID_OP)
		fprintf(out, "-%c | ", option->id);
	fprintf(out, "--%s", option->name);
	if (published)
		fprintf(out, " | -%s", published);
	if (published && strcmp(published, option->name) != 0)
		fprintf(out, " | --%s", published);
	fputs(") ", out);
}

void bash_values(FILE *out)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct cli_option *option = &option_table[i];
		enum value_kind kind = value_kind(option);

		if (kind == KIND_NONE)
			continue;
		print_pattern(option, out);
		if (option_value(option) == VALUE_ATTACHED)
			fputs("[ \"$attached\" ] || return 1; ", out);
		if (kind == KIND_FILE)
			fputs("_storprototrace_file ", out);
		if (kind == KIND_HERE)
			fprintf(out, "_storprototrace_here %s ", value_here(option));
		if (kind == KIND_WORD || kind == KIND_LIST) {
			fprintf(out, "_storprototrace_%s", kind == KIND_LIST ? "list" : "one");
			value_words(option, " ", out);
			fputc(' ', out);
		}
		fputs(";;\n", out);
	}
}
