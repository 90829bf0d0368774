/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the manual page and the shells' completion take from the program's own tables. */
#ifndef STORPROTOTRACE_GENERATE_H
#define STORPROTOTRACE_GENERATE_H

#include <stdio.h>
#include "cli_parser/option_table.h"

/* What an option's value can be completed by. */
enum value_kind {
	KIND_NONE,  /* it takes none */
	KIND_OTHER, /* a number and the like: nothing to offer */
	KIND_FILE,
	KIND_WORD, /* one of the words of value_words() */
	KIND_LIST, /* the same, several of them, separated by commas */
	KIND_HERE, /* what this host has of value_here() */
};

enum value_kind value_kind(const struct cli_option *option);

/* The words, each with `before` in front of it. Only for KIND_WORD and KIND_LIST. */
void value_words(const struct cli_option *option, const char *before, FILE *out);

/* "sids", "targets", ...: as the templates of the completions call it. Only for KIND_HERE. */
const char *value_here(const struct cli_option *option);

/* May it be given more than once? */
bool value_repeats(const struct cli_option *option);

/* The parts that a template has a line for. */
void bash_options(FILE *out); /* the options, a line each: "--by" */
void bash_values(FILE *out);  /* branches of a `case` by option */
void zsh_arguments(FILE *out);
void man_fields(FILE *out);

#endif
