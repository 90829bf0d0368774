// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options' setters: from a value as text to a member of struct options. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include "cli_parser/option_set.h"
#include "common/common.h"
#include "common/hook_info.h"

#define NS_PER_SECOND	1000000000ULL
#define INTERVAL_MIN_NS 10000000ULL
#define INTERVAL_MAX_NS (86400 * NS_PER_SECOND)

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static const struct word by_words[] = {
	{"initiator", BY_INITIATOR},
	{"target", BY_TARGET},
	{"portal", BY_PORTAL},
	{"sid", BY_SID},
	{"cid", BY_CID},
	{"lun", BY_LUN},
	{"disk", BY_DISK},
	{"mpath", BY_MPATH},
	{"op", BY_OP},
	{"size", BY_SIZE},
};

static const struct word op_words[] = {
	{"read", 1 << OP_READ},
	{"write", 1 << OP_WRITE},
	{"other", 1 << OP_OTHER},
};

static const struct word stage_words[] = {
	{"block", 1 << STAGE_BLOCK},   {"busy", 1 << STAGE_BUSY},
	{"queue", 1 << STAGE_QUEUE},   {"send", 1 << STAGE_SEND},
	{"r2t", 1 << STAGE_R2T},       {"data_out", 1 << STAGE_DATA_OUT},
	{"target", 1 << STAGE_TARGET}, {"data_in", 1 << STAGE_DATA_IN},
	{"done", 1 << STAGE_DONE},     {"total", 1 << STAGE_TOTAL},
};

static const struct word format_words[] = {
	{"table", FORMAT_TABLE},
	{"json", FORMAT_JSON},
	{"csv", FORMAT_CSV},
	{"prometheus", FORMAT_PROMETHEUS},
	{"openmetrics", FORMAT_OPENMETRICS},
	{"html", FORMAT_HTML},
};

static const struct word attach_words[] = {
	{"auto", ATTACH_AUTO},
	{"fentry", ATTACH_FENTRY},
	{"kprobe", ATTACH_KPROBE},
};

#define WORDS(setter, words, list)                                                                 \
	{                                                                                          \
		setter, words, ARRAY_SIZE(words), list                                             \
	}

static const struct {
	int (*set)(const struct cli_option *option, const char *value, struct options *o);
	const struct word *words;
	size_t count;
	bool list;
} vocabularies[] = {
	WORDS(option_set_by, by_words, true),
	WORDS(option_add_ops, op_words, true),
	WORDS(option_set_stages, stage_words, true),
	WORDS(option_set_stage, stage_words, false),
	WORDS(option_set_format, format_words, false),
	WORDS(option_set_attach, attach_words, false),
};

const struct word *option_words(const struct cli_option *option, size_t *count, bool *list)
{
	for (size_t i = 0; i < ARRAY_SIZE(vocabularies); i++) {
		if (vocabularies[i].set == option->set) {
			*count = vocabularies[i].count;
			*list = vocabularies[i].list;
			return vocabularies[i].words;
		}
	}
	return NULL;
}

static void *member(const struct cli_option *option, struct options *o)
{
	return (char *)o + option->offset;
}

int option_set_flag(const struct cli_option *option, const char *value, struct options *o)
{
	bool *flag = member(option, o);

	(void)value;
	*flag = true;
	return 0;
}

int option_set_more(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t *level = member(option, o);

	(void)value;
	++*level;
	return 0;
}

int option_set_u32(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t *number = member(option, o);
	uint64_t parsed;
	int err = parse_u64(value, option->min, option->max, &parsed);

	if (!err)
		*number = (uint32_t)parsed;
	return err;
}

int option_set_u64(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_u64(value, option->min, option->max, member(option, o));
}

int option_add_id(const struct cli_option *option, const char *value, struct options *o)
{
	uint64_t id;
	int err = parse_u64(value, option->min, option->max, &id);

	return err ? err : id_list_add(member(option, o), id);
}

/* Kernel names have no control characters: one in a filter is a mistake, and would be echoed. */
static int check_text(const char *value, size_t size)
{
	if (!*value)
		return -EINVAL;
	for (const char *c = value; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return -EINVAL;
	}
	return strlen(value) < size ? 0 : -ERANGE;
}

int option_add_iscsi_name(const struct cli_option *option, const char *value, struct options *o)
{
	int err = check_text(value, ISCSI_NAME_SIZE);

	return err ? err : name_list_add(member(option, o), value);
}

int option_add_disk(const struct cli_option *option, const char *value, struct options *o)
{
	int err = check_text(value, PATH_MAX);

	return err ? err : name_list_add(member(option, o), value);
}

int option_set_file(const struct cli_option *option, const char *value, struct options *o)
{
	const char **file = member(option, o);

	if (!*value)
		return -EINVAL;
	*file = value;
	return strlen(value) < PATH_MAX ? 0 : -ERANGE;
}

int option_set_columns(const struct cli_option *option, const char *value, struct options *o)
{
	const char **columns = member(option, o);

	*columns = value;
	return check_text(value, PATH_MAX);
}

int option_set_by(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_words(value, by_words, ARRAY_SIZE(by_words), member(option, o));
}

int option_set_stages(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_words(value, stage_words, ARRAY_SIZE(stage_words), member(option, o));
}

int option_set_stage(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_word(value ? value : iscsi_stage_name(STAGE_TOTAL), stage_words,
			  ARRAY_SIZE(stage_words), member(option, o));
}

int option_add_ops(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t *ops = member(option, o);
	uint32_t set;
	int err = parse_words(value, op_words, ARRAY_SIZE(op_words), &set);

	if (!err)
		*ops |= set;
	return err;
}

int option_set_percentiles(const struct cli_option *option, const char *value, struct options *o)
{
	(void)option;
	return parse_percentiles(value, o->percentiles, PERCENTILES_MAX, &o->percentile_count);
}

int option_set_format(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t format;
	int err = parse_word(value, format_words, ARRAY_SIZE(format_words), &format);

	(void)option;
	if (!err)
		o->format = format;
	return err;
}

int option_set_attach(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t attach;
	int err = parse_word(value, attach_words, ARRAY_SIZE(attach_words), &attach);

	(void)option;
	if (!err)
		o->attach = attach;
	return err;
}

int option_set_listen(const struct cli_option *option, const char *value, struct options *o)
{
	int err = parse_address(value, member(option, o));

#ifndef STORPROTOTRACE_LISTEN
	if (!err)
		err = -ENOSYS;
#endif
	return err;
}

int option_add_without(const struct cli_option *option, const char *value, struct options *o)
{
	int hook = hook_info_find(value);

	(void)option;
	if (hook < 0)
		return -EINVAL;
	o->without |= 1U << hook;
	return 0;
}

int option_set_module_btf(const struct cli_option *option, const char *value, struct options *o)
{
	size_t length = strcspn(value, "=");
	const char **file = NULL;

	(void)option;
	if (length == strlen("libiscsi") && !strncmp(value, "libiscsi", length))
		file = &o->libiscsi_btf;
	else if (length == strlen("libiscsi_tcp") && !strncmp(value, "libiscsi_tcp", length))
		file = &o->libiscsi_tcp_btf;
	if (!file || value[length] != '=' || !value[length + 1])
		return -EINVAL;
	*file = value + length + 1;
	return strlen(*file) < PATH_MAX ? 0 : -ERANGE;
}

int option_set_interval(const struct cli_option *option, const char *value, struct options *o)
{
	(void)option;
	return parse_seconds(value, INTERVAL_MIN_NS, INTERVAL_MAX_NS, &o->interval_ns);
}

int option_set_max_age(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_seconds(value, option->min * NS_PER_SECOND, option->max * NS_PER_SECOND,
			     &o->max_age_ns);
}

/* Above 0 ns, up to a day. */
int option_set_milliseconds(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_milliseconds(value, 1, INTERVAL_MAX_NS, member(option, o));
}
