/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command line: one option table gives getopt_long's arrays, strict parsing and the help. */
#ifndef STORPROTOTRACE_CLI_PARSER_H
#define STORPROTOTRACE_CLI_PARSER_H

#include <stdio.h>
#include "common/options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cli_result {
	CLI_RUN,   /* options are filled, go on */
	CLI_EXIT,  /* --help or --version was printed: exit 0 */
	CLI_USAGE, /* the command line is wrong, said on stderr: exit 2 */
};

/*
 * Fills *options (initialised here, options_deinit() is the caller's whatever is returned). The
 * seven names of the published tool (-sid, -cid, -target, -initiatorname, -lun, -once, -verbose)
 * work with one dash or two. Strings point into argv, which is left as it is.
 * Nothing but --help and --version prints on `out`.
 */
enum cli_result cli_parse(int argc, char **argv, struct options *options, FILE *out);

/* The help text from the option table; ends with examples. */
void cli_help(FILE *out);

/*
 * What cli_help() prints between the options and the examples: the program's columns, which this
 * folder does not know. NULL (the default): nothing.
 */
void cli_help_columns(void (*print)(FILE *out));

/*
 * Looks at what --columns says, for the same reason: 0, 1: `out` has a list of the columns, the
 * program is to end, or -errno, said on stderr. NULL (the default): any list will do.
 */
void cli_choose_columns(int (*choose)(const struct options *options, FILE *out));

/* Can --top have its screen? 0, or -errno, said on stderr. NULL (the default): it can. */
void cli_need_screen(int (*possible)(void));

#ifdef __cplusplus
}
#endif

#endif
