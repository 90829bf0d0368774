/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options' setters, for the option table only: see struct cli_option.set for what they return.
 */
#ifndef STORPROTOTRACE_OPTION_SET_H
#define STORPROTOTRACE_OPTION_SET_H

#include "cli_parser/option_table.h"
#include "cli_parser/parse_value.h"

#define SETTER(name)                                                                               \
	int option_##name(const struct cli_option *option, const char *value, struct options *o)

SETTER(set_flag);
SETTER(set_more);
SETTER(set_u32);
SETTER(set_u64);
SETTER(add_id);
SETTER(add_iscsi_name);
SETTER(add_disk);
SETTER(set_file);
SETTER(set_columns);
SETTER(set_by);
SETTER(set_stages);
SETTER(set_stage);
SETTER(add_ops);
SETTER(set_percentiles);
SETTER(set_format);
SETTER(set_attach);
SETTER(set_listen);
SETTER(add_without);
SETTER(set_module_btf);
SETTER(set_interval);
SETTER(set_max_age);
SETTER(set_milliseconds);

#undef SETTER

/*
 * The words that the option's value is parsed by, one of them or, with *list, several separated by
 * commas. NULL: its value is no word.
 */
const struct word *option_words(const struct cli_option *option, size_t *count, bool *list);

#endif
