/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command line: spelled out, given to getopt_long(), set by the option table, checked. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include "cli_parser/cli_parser.h"
#include "cli_parser/exclusive.h"
#include "cli_parser/option_table.h"
#include "cli_parser/spelling.h"
#include "common/log.h"

#ifndef STORPROTOTRACE_VERSION
#define STORPROTOTRACE_VERSION "0.1.0"
#endif

#define OPTIONS_LIMIT 64
#define LABEL_SIZE    64

/* The option table as getopt_long() wants it. */
struct getopt_table {
	struct option names[OPTIONS_LIMIT + 1];
	char letters[2 * OPTIONS_LIMIT + 2];
};

/* One parse. */
struct parse {
	struct options *options;
	bool seen[ID_LIMIT];
	FILE *out;
};

static void getopt_table_init(struct getopt_table *table)
{
	char *letter = table->letters;

	*table = (struct getopt_table){0};
	/* The colon: tell a missing value from an unknown option, and print nothing. */
	*letter++ = ':';
	for (size_t i = 0; i < option_count && i < OPTIONS_LIMIT; i++) {
		table->names[i].name = option_table[i].name;
		table->names[i].has_arg = (int)option_value(&option_table[i]);
		table->names[i].val = option_table[i].id;
		if (option_table[i].id >= ID_OP)
			continue;
		*letter++ = (char)option_table[i].id;
		if (option_table[i].argument)
			*letter++ = ':';
	}
}

static void say_bad_value(const struct cli_option *option, const char *value, int err)
{
	const char *why = err == -ERANGE ? "out of range, " : "";
	char label[LABEL_SIZE];

	option_label(option, label, sizeof(label));
	if (err == -ENOMEM)
		log_error("option %s: out of memory", label);
	else if (err == -ENOSYS)
		log_error("option %s: this storprototrace was built without it", label);
	else if (option->max)
		log_error("bad value '%s' for %s: %sexpected %s from %" PRIu64 " to %" PRIu64,
			  value, label, why, option->expects, option->min, option->max);
	else
		log_error("bad value '%s' for %s: %sexpected %s", value, label, why,
			  option->expects);
}

static int set_option(struct parse *parse, const struct cli_option *option, const char *value)
{
	int err = option->set ? option->set(option, value, parse->options) : 0;

	if (err)
		say_bad_value(option, value, err);
	if (err == -ENOSYS)
		log_hint("install the packages that ./install-deps.sh --print lists, build it "
			 "again");
	parse->seen[option->id] = true;
	return err;
}

static int refuse(int result, int letter)
{
	const struct cli_option *option = option_by_id(letter);
	char label[LABEL_SIZE];

	if (result == ':' && option) {
		option_label(option, label, sizeof(label));
		log_error("option %s: needs a value, %s", label, option->expects);
	} else {
		log_error("unknown option -%c: there is no such letter", letter);
		log_hint("storprototrace --help lists the options");
	}
	return -EINVAL;
}

/* 1: help or version was printed. */
static int parse_options(struct parse *parse, const struct spelling *spelling)
{
	struct getopt_table table;
	int id;

	getopt_table_init(&table);
	/* 0, not 1: glibc forgets a scan that ended within an argument. */
	optind = 0;
	opterr = 0;
	while ((id = getopt_long(spelling->argc, spelling->argv, table.letters, table.names,
				 NULL)) != -1) {
		if (id == ':' || id == '?')
			return refuse(id, optopt);
		if (id == 'h')
			cli_help(parse->out);
		if (id == 'V')
			fputs("storprototrace " STORPROTOTRACE_VERSION "\n", parse->out);
		if (id == 'h' || id == 'V')
			return 1;
		if (set_option(parse, option_by_id(id), optarg))
			return -EINVAL;
	}
	return 0;
}

static int parse_positionals(struct parse *parse, const struct spelling *spelling)
{
	static const int ids[] = {ID_INTERVAL, ID_COUNT};

	for (int i = optind; i < spelling->argc; i++) {
		if (i - optind == 2) {
			log_error("unexpected argument '%s': only an interval and a count are",
				  spelling->argv[i]);
			log_hint("storprototrace [options] [interval [count]]");
			return -EINVAL;
		}
		if (set_option(parse, option_positional(ids[i - optind]), spelling->argv[i]))
			return -EINVAL;
	}
	return 0;
}

static int (*choose_columns)(const struct options *options, FILE *out);

void cli_choose_columns(int (*choose)(const struct options *options, FILE *out))
{
	choose_columns = choose;
}

/* Who asks for a page only is not shown reports, unless something is said about them. */
static bool is_serve_only(const struct parse *parse)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct cli_option *option = &option_table[i];

		if (parse->seen[option->id] && option->id != ID_LISTEN &&
		    (option->section == SECTION_OUTPUT || option->section == SECTION_EVENTS))
			return false;
	}
	return parse->seen[ID_LISTEN];
}

/* What follows from options together; 1: columns were listed. */
static int finish(struct parse *parse)
{
	struct options *o = parse->options;

	if (exclusive_check(parse->seen, o))
		return -EINVAL;
	if (parse->seen['j'])
		o->format = FORMAT_JSON;
	/* What is scraped must only grow. */
	if (o->format == FORMAT_PROMETHEUS || o->format == FORMAT_OPENMETRICS)
		o->cumulative = true;
	if (parse->seen['H'] && !o->histograms)
		o->histograms = 1U << STAGE_TOTAL;
	/* One picture, unless asked for several. */
	if (o->heatmap && o->format == FORMAT_TABLE && !parse->seen['b'])
		o->by = 0;
	if (o->once)
		o->count = 1;
	if (parse->seen[ID_INTERVAL])
		o->merge_ns = o->interval_ns;
	o->serve_only = is_serve_only(parse);
	return o->columns && choose_columns ? choose_columns(o, parse->out) : 0;
}

static int parse_all(struct parse *parse, const struct spelling *spelling)
{
	int result = parse_options(parse, spelling);

	if (!result)
		result = parse_positionals(parse, spelling);
	return result ? result : finish(parse);
}

enum cli_result cli_parse(int argc, char **argv, struct options *options, FILE *out)
{
	struct parse parse = {.options = options, .out = out};
	struct spelling spelling;
	int result;

	options_init(options);
	if (argc < 1)
		return CLI_RUN;
	result = spelling_init(&spelling, argc, argv);
	if (!result)
		result = parse_all(&parse, &spelling);
	spelling_deinit(&spelling);
	if (result == -ENOMEM)
		log_error("command line: out of memory");
	if (result < 0)
		return CLI_USAGE;
	return result ? CLI_EXIT : CLI_RUN;
}
