// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The option table as zsh's _arguments wants it. */
#include <string.h>
#include "doc/generate/generate.h"

/* Within single quotes, within brackets: the first line's help. */
static void print_help(const char *help, FILE *out)
{
	for (; *help; help++) {
		if (strchr("[]:\\", *help))
			fputc('\\', out);
		if (*help == '\'')
			fputs("'\\''", out);
		else
			fputc(*help == '\n' ? ' ' : *help, out);
	}
}

static void print_action(const struct cli_option *option, FILE *out)
{
	switch (value_kind(option)) {
	case KIND_FILE:
		fputs("_files", out);
		break;
	case KIND_HERE:
		fprintf(out, "_storprototrace_here %s", value_here(option));
		break;
	case KIND_WORD:
		fputc('(', out);
		value_words(option, " ", out);
		fputs(" )", out);
		break;
	case KIND_LIST:
		fputs("_sequence compadd -", out);
		value_words(option, " ", out);
		break;
	case KIND_NONE:
	case KIND_OTHER:
		fputc(' ', out);
		break;
	}
}

static void print_names(const struct cli_option *option, FILE *out)
{
	bool repeats = value_repeats(option);

	if (option->id >= ID_OP) {
		/* "=-": its value, if there is one, follows in the same word. */
		fprintf(out, "'%s--%s%s%s", repeats ? "*" : "", option->name,
			option->argument ? "=" : "",
			option_value(option) == VALUE_ATTACHED ? "-" : "");
		return;
	}
	if (repeats)
		fputs("'*'", out);
	else
		fprintf(out, "'(-%c --%s)'", option->id, option->name);
	fprintf(out, "{-%c%s,--%s%s}'", option->id, option->argument ? "+" : "", option->name,
		option->argument ? "=" : "");
}

void zsh_arguments(FILE *out)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct cli_option *option = &option_table[i];

		fputc('\t', out);
		print_names(option, out);
		fputc('[', out);
		print_help(option->help, out);
		fputc(']', out);
		if (option->argument) {
			const char *name = option->argument + strspn(option->argument, "[=");

			fprintf(out, "%s:%.*s:", option_value(option) == VALUE_ATTACHED ? ":" : "",
				(int)strcspn(name, "]"), name);
			print_action(option, out);
		}
		fputs("' \\\n", out);
	}
}
