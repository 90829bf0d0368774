// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* libFuzzer: any bytes as a command line, its arguments separated by newlines. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli_parser/cli_parser.h"
#include "output/columns.h"
#include "output/field.h"

#define ARGUMENTS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the parser promises of options that it let through. */
static void check(const struct options *o)
{
	if (!o->interval_ns || o->percentile_count > PERCENTILES_MAX || !o->max_keys ||
	    !o->max_inflight || o->max_age_ns < OPTIONS_MAX_AGE_NS || (o->once && o->count != 1))
		abort();
	for (uint32_t i = 0; i < o->percentile_count; i++)
		if (!(o->percentiles[i] > 0 && o->percentiles[i] <= 100))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	char *argv[ARGUMENTS_MAX + 2] = {"storprototrace"};
	char *text = malloc(size + 1), *rest = text;
	struct options options;
	int argc = 1;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (!text || !nowhere)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	while (size && rest && argc <= ARGUMENTS_MAX)
		argv[argc++] = strsep(&rest, "\n");
	cli_help_columns(field_help);
	cli_choose_columns(columns_choose);
	if (cli_parse(argc, argv, &options, nowhere) == CLI_RUN)
		check(&options);
	options_deinit(&options);
	free(text);
	return 0;
}
