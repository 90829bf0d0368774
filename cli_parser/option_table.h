/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The option table: each option once - name, argument, help, what is expected, setter. */
#ifndef STORPROTOTRACE_OPTION_TABLE_H
#define STORPROTOTRACE_OPTION_TABLE_H

#include <stddef.h>
#include "common/options.h"

/* Headings of the help. */
enum option_section {
	SECTION_FILTER,
	SECTION_GROUP,
	SECTION_EVENTS,
	SECTION_OUTPUT,
	SECTION_COLLECT,
	SECTION_OTHER,
	SECTION_COUNT,
};

/* Options without a letter, and the arguments that are no options. */
enum option_id {
	ID_OP = 256,
	ID_CUMULATIVE,
	ID_RECORD,
	ID_REPLAY,
	ID_ATTACH,
	ID_NO_MODULE_BTF,
	ID_MODULE_BTF,
	ID_BTF,
	ID_DROP,
	ID_WITHOUT,
	ID_CHECK,
	ID_MAX_INFLIGHT,
	ID_MAX_KEYS,
	ID_MAX_AGE,
	ID_STRICT,
	ID_COLUMNS,
	ID_HISTOGRAM_OF,
	ID_HEATMAP,
	ID_UTC,
	ID_NO_SESSION_EVENTS,
	ID_SLOWER,
	ID_STUCK,
	ID_LISTEN,
	ID_INTERVAL,
	ID_COUNT,
	ID_LIMIT,
};

/* As getopt_long() numbers them. */
enum option_value {
	VALUE_NONE,
	VALUE_NEEDED,
	VALUE_ATTACHED, /* may be left out, else it follows a "=": getopt's optional_argument */
};

struct cli_option {
	int id;		      /* its letter, or enum option_id */
	const char *name;     /* long name without dashes */
	/* as the help calls it, "[=STAGE]" where it may be left out; NULL: takes none */
	const char *argument;
	enum option_section section;
	const char *help;    /* '\\n' starts the next line */
	const char *expects; /* for messages: what its value is, with the unit */
	uint64_t min, max;   /* range of a number in that unit; both 0: no number */
	size_t offset;	     /* the member of struct options that the setter sets */
	/* value: NULL where it was left out. 0; -EINVAL, -ERANGE: the value is not what is expected; -ENOMEM. NULL: not in options */
	int (*set)(const struct cli_option *option, const char *value, struct options *o);
};

extern const struct cli_option option_table[];
extern const size_t option_count;

/* NULL: there is none. */
const struct cli_option *option_by_id(int id);

/* By the first `length` bytes of `name`, which must be the whole name. NULL: there is none. */
const struct cli_option *option_by_name(const char *name, size_t length);

/* The arguments that are no options, "interval" and "count": set like an option's value. */
const struct cli_option *option_positional(int id);

/* Does it take a value, and must it? */
enum option_value option_value(const struct cli_option *option);

/* "-s/--sid", "--op", "the interval"; for messages. */
void option_label(const struct cli_option *option, char *out, size_t size);

#endif
