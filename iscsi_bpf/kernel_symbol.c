// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads /proc/kallsyms: "ADDRESS TYPE NAME", and "[MODULE]" behind a tab for a module's. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "iscsi_bpf/kernel_symbol.h"

/* Cut in place: hundreds of thousands of lines are too many for sscanf(). */
struct line {
	const char *address;
	const char *name;
	const char *module; /* empty: the kernel's own */
};

static bool cut(char *text, struct line *line)
{
	char *type = strchr(text, ' '), *end;

	if (!type || !type[1] || type[2] != ' ')
		return false;
	line->address = text;
	line->name = type + 3;
	end = type + 3 + strcspn(line->name, "\t\n");
	line->module = "";
	if (*end == '\t' && end[1] == '[') {
		line->module = end + 2;
		end[2 + strcspn(end + 2, "]")] = '\0';
	}
	*end = '\0';
	return true;
}

static bool is_it(const struct kernel_symbol *symbol, const struct line *line)
{
	if (symbol->found || strcmp(symbol->name, line->name))
		return false;
	return !symbol->module || !*line->module || !strcmp(symbol->module, line->module);
}

void kernel_symbols_find(struct kernel_symbol *symbols, size_t count)
{
	cleanup_file FILE *file = fopen("/proc/kallsyms", "re");
	size_t left = count;
	struct line line;
	char text[512];

	for (size_t i = 0; i < count; i++)
		symbols[i].found = false;
	while (file && left && fgets(text, sizeof(text), file)) {
		if (!cut(text, &line))
			continue;
		for (size_t i = 0; i < count; i++) {
			if (!is_it(&symbols[i], &line))
				continue;
			symbols[i].found = true;
			symbols[i].address = strtoull(line.address, NULL, 16);
			left--;
		}
	}
}
