// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Build time: copies a template to a file, with parts made from the program's tables. */
#include <string.h>
#include "doc/generate/generate.h"

#define LINE_SIZE 4096

static const struct {
	const char *line;
	void (*print)(FILE *out);
} parts[] = {
	{"@bash_options@\n", bash_options},
	{"@bash_values@\n", bash_values},
	{"@zsh_arguments@\n", zsh_arguments},
	{"@man_fields@\n", man_fields},
};

static bool print_part(const char *line, FILE *out)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(parts[i].line, line) == 0) {
			parts[i].print(out);
			return true;
		}
	}
	return false;
}

static int copy(FILE *template, const char *name, FILE *out)
{
	char line[LINE_SIZE];

	while (fgets(line, sizeof(line), template)) {
		if (line[0] != '@') {
			fputs(line, out);
		} else if (!print_part(line, out)) {
			fprintf(stderr, "generate: %s: unknown part %s", name, line);
			return -1;
		}
	}
	return ferror(template) ? -1 : 0;
}

int main(int argc, char **argv)
{
	FILE *template = argc == 3 ? fopen(argv[1], "r") : NULL;
	FILE *out = template ? fopen(argv[2], "w") : NULL;

	if (!out || copy(template, argv[1], out) || ferror(out) || fclose(out)) {
		fputs("generate: failed; usage: generate TEMPLATE FILE\n", stderr);
		return 1;
	}
	fclose(template);
	return 0;
}
