/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The help text, made from the option table. */
#include <string.h>
#include "cli_parser/cli_parser.h"
#include "cli_parser/option_table.h"

#define HELP_COLUMN 29

static const char *const headings[SECTION_COUNT] = {
	[SECTION_FILTER] =
		"Which commands (may be repeated: any of the values; kinds: all of them)",
	[SECTION_GROUP] = "What a row is",
	[SECTION_EVENTS] = "Single commands",
	[SECTION_OUTPUT] = "What is shown",
	[SECTION_COLLECT] = "How it is collected",
	[SECTION_OTHER] = "Other",
};

static const char intro[] =
	"Usage: storprototrace [options] [interval [count]]\n"
	"\n"
	"Follows every SCSI command of this host's iSCSI sessions and tells in which\n"
	"stage its time went. Reports every interval seconds (1; fractions are allowed),\n"
	"count times or until stopped.\n";

static const char ending[] =
	"\n"
	"Names of earlier versions work with one dash or two: -target -initiatorname -sid\n"
	"-cid -lun -once -verbose.\n"
	"\n"
	"Exit status: 0 ok, 1 failed while running, 2 wrong usage, 3 not permitted,\n"
	"4 this kernel lacks what is needed, 5 output could not be written.\n"
	"\n"
	"Examples:\n"
	"  storprototrace -t iqn.2003-01.org.example:disk1 1\n"
	"      where this target's commands spend their time, every second\n"
	"  storprototrace -d sda -b lun,op -x 5 12\n"
	"      reads and writes of one disk, all stages, for a minute\n"
	"  storprototrace -j -1 10 | jq 'select(.type == \"stats\")'\n"
	"      ten seconds as JSON\n"
	"  storprototrace --record slow.rec 1\n"
	"  storprototrace --replay slow.rec -s 3 -p 50,99,99.9\n"
	"      keep what happens now, look at one session of it later\n";

static void (*print_columns)(FILE *out);

void cli_help_columns(void (*print)(FILE *out))
{
	print_columns = print;
}

static void print_option(const struct cli_option *option, FILE *out)
{
	const char *line = option->help;
	int column;

	if (option->id < ID_OP)
		column = fprintf(out, "  -%c, --%s", option->id, option->name);
	else
		column = fprintf(out, "      --%s", option->name);
	if (option->argument)
		column += fprintf(out, "%s%s", option_value(option) == VALUE_NEEDED ? " " : "",
				  option->argument);
	for (;;) {
		int length = (int)strcspn(line, "\n");

		fprintf(out, "%*s%.*s\n", HELP_COLUMN - column, "", length, line);
		if (!line[length])
			break;
		line += length + 1;
		column = 0;
	}
}

void cli_help(FILE *out)
{
	fputs(intro, out);
	for (int section = 0; section < SECTION_COUNT; section++) {
		fprintf(out, "\n%s:\n", headings[section]);
		for (size_t i = 0; i < option_count; i++) {
			if ((int)option_table[i].section == section)
				print_option(&option_table[i], out);
		}
	}
	if (print_columns) {
		fputc('\n', out);
		print_columns(out);
	}
	fputs(ending, out);
}
