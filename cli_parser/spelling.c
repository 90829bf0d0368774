/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The pass over argv before getopt_long(), which would take abbreviations and "-s id" for -sid. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cli_parser/option_table.h"
#include "cli_parser/spelling.h"
#include "common/log.h"

/* The published tool's names, and what they are called here. */
static const struct {
	const char *name;
	char *spelled;
} published_names[] = {
	{"sid", "--sid"},	  {"cid", "--cid"},
	{"target", "--target"},	  {"initiatorname", "--initiator"},
	{"lun", "--lun"},	  {"once", "--once"},
	{"verbose", "--verbose"},
};

const char *spelling_published(const char *name)
{
	for (size_t i = 0; i < sizeof(published_names) / sizeof(published_names[0]); i++) {
		if (strcmp(published_names[i].spelled + 2, name) == 0)
			return published_names[i].name;
	}
	return NULL;
}

/* Where in the original argv we are. */
struct cursor {
	char **next; /* NULL: at the end */
	struct spelling *out;
};

static void put(struct cursor *cursor, char *argument)
{
	cursor->out->argv[cursor->out->argc++] = argument;
}

/* The value of the option just put, whatever it looks like. A missing one is getopt's to say. */
static void put_value(struct cursor *cursor)
{
	if (*cursor->next)
		put(cursor, *cursor->next++);
}

/* The long option that a published name stands for; NULL: it is none. */
static char *find_published(const char *argument)
{
	const char *name = argument + (argument[1] == '-' ? 2 : 1);
	size_t length = strcspn(name, "=");

	for (size_t i = 0; i < sizeof(published_names) / sizeof(published_names[0]); i++) {
		if (strlen(published_names[i].name) == length &&
		    !memcmp(published_names[i].name, name, length))
			return published_names[i].spelled;
	}
	return NULL;
}

static int refuse_value(const char *argument)
{
	log_error("option %.*s: takes no value", (int)strcspn(argument, "="), argument);
	return -EINVAL;
}

static int refuse_unknown(const char *argument)
{
	const char *name = argument + 2;
	size_t length = strcspn(name, "=");

	log_error("unknown option --%.*s: options are to be spelled in full", (int)length, name);
	for (size_t i = 0; length && i < option_count; i++) {
		if (strncmp(option_table[i].name, name, length))
			continue;
		log_hint("did you mean --%s?", option_table[i].name);
		return -EINVAL;
	}
	log_hint("storprototrace --help lists the options");
	return -EINVAL;
}

static int put_published(struct cursor *cursor, char *argument, char *spelled)
{
	const struct cli_option *option = option_by_name(spelled + 2, strlen(spelled + 2));
	char *value = strchr(argument, '=');

	if (value && !option->argument)
		return refuse_value(argument);
	put(cursor, spelled);
	if (value)
		put(cursor, value + 1);
	else if (option->argument)
		put_value(cursor);
	return 0;
}

static int put_long(struct cursor *cursor, char *argument)
{
	const char *value = strchr(argument, '=');
	const struct cli_option *option = option_by_name(argument + 2, strcspn(argument + 2, "="));

	if (!option)
		return refuse_unknown(argument);
	if (value && !option->argument)
		return refuse_value(argument);
	put(cursor, argument);
	if (!value && option_value(option) == VALUE_NEEDED)
		put_value(cursor);
	return 0;
}

/* "-zxt": the first letter that takes a value has the rest, or else the next argument. */
static int put_letters(struct cursor *cursor, char *argument)
{
	put(cursor, argument);
	for (const char *letter = argument + 1; *letter; letter++) {
		const struct cli_option *option = option_by_id((unsigned char)*letter);

		if (!option || (option->argument && letter[1]))
			break;
		if (option->argument)
			put_value(cursor);
	}
	return 0;
}

static int put_argument(struct cursor *cursor, char *argument)
{
	char *spelled;

	if (argument[0] != '-' || !argument[1]) {
		put(cursor, argument);
		return 0;
	}
	spelled = find_published(argument);
	if (spelled)
		return put_published(cursor, argument, spelled);
	return argument[1] == '-' ? put_long(cursor, argument) : put_letters(cursor, argument);
}

int spelling_init(struct spelling *spelling, int argc, char **argv)
{
	struct cursor cursor = {.next = argv, .out = spelling};
	int err = 0;

	/* At most every argument is cut in two, "-sid=1". */
	*spelling = (struct spelling){0};
	spelling->argv = calloc(2 * (size_t)argc + 1, sizeof(*spelling->argv));
	if (!spelling->argv)
		return -ENOMEM;
	put_value(&cursor);
	while (*cursor.next && strcmp(*cursor.next, "--") && !err)
		err = put_argument(&cursor, *cursor.next++);
	while (*cursor.next && !err)
		put_value(&cursor);
	return err;
}

void spelling_deinit(struct spelling *spelling)
{
	free(spelling->argv);
	*spelling = (struct spelling){0};
}
