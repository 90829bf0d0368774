/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The option table and its setters. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "cli_parser/option_table.h"
#include "cli_parser/parse_value.h"
#include "common/hook_info.h"

#define NS_PER_SECOND	 1000000000ULL
#define INTERVAL_MIN_NS	 10000000ULL
#define INTERVAL_MAX_NS	 (86400 * NS_PER_SECOND)
#define TABLE_SIZE_LIMIT (1 << 20)
#define MAX_AGE_LIMIT_S	 31536000

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
	{"block", 1 << STAGE_BLOCK},	   {"busy", 1 << STAGE_BUSY},
	{"queue", 1 << STAGE_QUEUE},	   {"send", 1 << STAGE_SEND},
	{"r2t", 1 << STAGE_R2T},	   {"data_out", 1 << STAGE_DATA_OUT},
	{"target", 1 << STAGE_TARGET},	   {"data_in", 1 << STAGE_DATA_IN},
	{"done", 1 << STAGE_DONE},	   {"total", 1 << STAGE_TOTAL},
};

static const struct word format_words[] = {
	{"table", FORMAT_TABLE},
	{"json", FORMAT_JSON},
	{"csv", FORMAT_CSV},
	{"prometheus", FORMAT_PROMETHEUS},
	{"openmetrics", FORMAT_OPENMETRICS},
};

static const struct word attach_words[] = {
	{"auto", ATTACH_AUTO},
	{"fentry", ATTACH_FENTRY},
	{"kprobe", ATTACH_KPROBE},
};

static void *member(const struct cli_option *option, struct options *o)
{
	return (char *)o + option->offset;
}

static int set_flag(const struct cli_option *option, const char *value, struct options *o)
{
	bool *flag = member(option, o);

	(void)value;
	*flag = true;
	return 0;
}

static int set_more(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t *level = member(option, o);

	(void)value;
	++*level;
	return 0;
}

static int set_u32(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t *number = member(option, o);
	uint64_t parsed;
	int err = parse_u64(value, option->min, option->max, &parsed);

	if (!err)
		*number = (uint32_t)parsed;
	return err;
}

static int set_u64(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_u64(value, option->min, option->max, member(option, o));
}

static int add_id(const struct cli_option *option, const char *value, struct options *o)
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

static int add_iscsi_name(const struct cli_option *option, const char *value, struct options *o)
{
	int err = check_text(value, ISCSI_NAME_SIZE);

	return err ? err : name_list_add(member(option, o), value);
}

static int add_disk(const struct cli_option *option, const char *value, struct options *o)
{
	int err = check_text(value, PATH_MAX);

	return err ? err : name_list_add(member(option, o), value);
}

static int set_file(const struct cli_option *option, const char *value, struct options *o)
{
	const char **file = member(option, o);

	if (!*value)
		return -EINVAL;
	*file = value;
	return strlen(value) < PATH_MAX ? 0 : -ERANGE;
}

static int set_columns(const struct cli_option *option, const char *value, struct options *o)
{
	const char **columns = member(option, o);

	*columns = value;
	return check_text(value, PATH_MAX);
}

static int set_by(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_words(value, by_words, ARRAY_SIZE(by_words), member(option, o));
}

static int set_stages(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_words(value, stage_words, ARRAY_SIZE(stage_words), member(option, o));
}

static int add_ops(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t *ops = member(option, o);
	uint32_t set;
	int err = parse_words(value, op_words, ARRAY_SIZE(op_words), &set);

	if (!err)
		*ops |= set;
	return err;
}

static int set_percentiles(const struct cli_option *option, const char *value, struct options *o)
{
	(void)option;
	return parse_percentiles(value, o->percentiles, PERCENTILES_MAX, &o->percentile_count);
}

static int set_format(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t format;
	int err = parse_word(value, format_words, ARRAY_SIZE(format_words), &format);

	(void)option;
	if (!err)
		o->format = format;
	return err;
}

static int set_attach(const struct cli_option *option, const char *value, struct options *o)
{
	uint32_t attach;
	int err = parse_word(value, attach_words, ARRAY_SIZE(attach_words), &attach);

	(void)option;
	if (!err)
		o->attach = attach;
	return err;
}

static int add_without(const struct cli_option *option, const char *value, struct options *o)
{
	int hook = hook_info_find(value);

	(void)option;
	if (hook < 0)
		return -EINVAL;
	o->without |= 1U << hook;
	return 0;
}

static int set_module_btf(const struct cli_option *option, const char *value, struct options *o)
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

static int set_interval(const struct cli_option *option, const char *value, struct options *o)
{
	(void)option;
	return parse_seconds(value, INTERVAL_MIN_NS, INTERVAL_MAX_NS, &o->interval_ns);
}

static int set_max_age(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_seconds(value, option->min * NS_PER_SECOND, option->max * NS_PER_SECOND,
			     &o->max_age_ns);
}

/* Above 0 ns, up to a day. */
static int set_milliseconds(const struct cli_option *option, const char *value, struct options *o)
{
	return parse_milliseconds(value, 1, INTERVAL_MAX_NS, member(option, o));
}

#define AT(member) offsetof(struct options, member)
#define ISCSI_NAME "an iSCSI name or shell pattern, 1 to 223 bytes"

/* clang-format off */
const struct cli_option option_table[] = {
	{ 't', "target", "NAME", SECTION_FILTER, "target name, exact or shell pattern",
	  ISCSI_NAME, 0, 0, AT(filter.targets), add_iscsi_name },
	{ 'i', "initiator", "NAME", SECTION_FILTER, "initiator name, exact or shell pattern",
	  ISCSI_NAME, 0, 0, AT(filter.initiators), add_iscsi_name },
	{ 's', "sid", "N", SECTION_FILTER, "session id, N of sessionN",
	  "a session id", 0, UINT32_MAX, AT(filter.sids), add_id },
	{ 'c', "cid", "N", SECTION_FILTER, "connection id within its session",
	  "a connection id", 0, UINT32_MAX, AT(filter.cids), add_id },
	{ 'l', "lun", "N", SECTION_FILTER, "LUN as Linux shows it",
	  "a LUN", 0, UINT64_MAX, AT(filter.luns), add_id },
	{ 'd', "disk", "DISK", SECTION_FILTER, "sda, /dev/sda, a /dev/disk/by-id link, 8:0,\n"
	  "dm-0 or a multipath name (all its paths)",
	  "the name of a disk", 0, 0, AT(filter.disks), add_disk },
	{ ID_OP, "op", "LIST", SECTION_FILTER, "read, write, other",
	  "a list of read, write, other", 0, 0, AT(filter.ops), add_ops },

	{ 'b', "by", "LIST", SECTION_GROUP, "one row per different value of these:\n"
	  "initiator, target, portal, sid, cid, lun,\n"
	  "disk, mpath, op, size; default: sid,cid",
	  "a list of initiator, target, portal, sid, cid, lun, disk, mpath, op, size",
	  0, 0, AT(by), set_by },
	{ ID_CUMULATIVE, "cumulative", NULL, SECTION_GROUP,
	  "count since the start, not per interval",
	  NULL, 0, 0, AT(cumulative), set_flag },

	{ ID_SLOWER, "slower", "MS", SECTION_EVENTS, "a line per command that took MS or longer",
	  "milliseconds above 0 up to 86400000, like 50 or 0.5", 0, 0, AT(filter.slower_ns),
	  set_milliseconds },
	{ 'e', "events", NULL, SECTION_EVENTS, "a line per command", NULL, 0, 0, AT(events), set_flag },
	{ ID_STUCK, "stuck", "MS", SECTION_EVENTS, "a line per command in flight for MS or longer,\n"
	  "again when its stage changes or its age has\ndoubled",
	  "milliseconds above 0 up to 86400000, like 5000", 0, 0, AT(filter.stuck_ns),
	  set_milliseconds },

	{ 'x', "extended", NULL, SECTION_OUTPUT, "all stages", NULL, 0, 0, AT(extended), set_flag },
	{ 'p', "percentiles", "LIST", SECTION_OUTPUT, "percentiles of the total, e.g. 50,99,99.9",
	  "up to 8 different percentages above 0 up to 100, at most 4 decimals, like 50,99,99.9",
	  0, 0, 0, set_percentiles },
	{ 'H', "histogram", NULL, SECTION_OUTPUT, "histograms of the total, below the table",
	  NULL, 0, 0, 0, NULL },
	{ ID_HISTOGRAM_OF, "histogram-of", "LIST", SECTION_OUTPUT,
	  "histograms of these: block, busy, queue, send,\n"
	  "r2t, data_out, target, data_in, done, total",
	  "a list of block, busy, queue, send, r2t, data_out, target, data_in, done, total",
	  0, 0, AT(histograms), set_stages },
	{ ID_COLUMNS, "columns", "LIST", SECTION_OUTPUT,
	  "these columns of table or csv, in this order;\n'help' lists them",
	  "a list of columns, or 'help'", 0, 0, AT(columns), set_columns },
	{ 'z', "hide-idle", NULL, SECTION_OUTPUT, "leave out rows in which nothing happened",
	  NULL, 0, 0, AT(hide_idle), set_flag },
	{ 'T', "timestamp", NULL, SECTION_OUTPUT, "wall-clock time with each report",
	  NULL, 0, 0, AT(timestamp), set_flag },
	{ ID_UTC, "utc", NULL, SECTION_OUTPUT, "times in UTC instead of local time",
	  NULL, 0, 0, AT(utc), set_flag },
	{ 'j', "json", NULL, SECTION_OUTPUT, "the same as --format json",
	  NULL, 0, 0, 0, NULL },
	{ 'f', "format", "FORMAT", SECTION_OUTPUT, "table (default), json (an object per line), csv;\n"
	  "prometheus or openmetrics (since the start)",
	  "table, json, csv, prometheus or openmetrics", 0, 0, 0, set_format },
	{ 'o', "output", "FILE", SECTION_OUTPUT, "write there instead of to standard output",
	  "a file name", 0, 0, AT(output), set_file },

	{ '1', "once", NULL, SECTION_COLLECT, "one interval, then exit",
	  NULL, 0, 0, AT(once), set_flag },
	{ ID_NO_SESSION_EVENTS, "no-session-events", NULL, SECTION_COLLECT,
	  "no logins, connection errors, aborts, ...",
	  NULL, 0, 0, AT(filter.no_session_events), set_flag },
	{ ID_STRICT, "strict", NULL, SECTION_COLLECT,
	  "fail if a name or module is absent, do not wait",
	  NULL, 0, 0, AT(strict), set_flag },
	{ ID_RECORD, "record", "FILE", SECTION_COLLECT, "record everything to a file as well",
	  "a file name", 0, 0, AT(record), set_file },
	{ ID_REPLAY, "replay", "FILE", SECTION_COLLECT, "report from a recording; needs no privilege",
	  "a file name", 0, 0, AT(replay), set_file },
	{ ID_ATTACH, "attach", "HOW", SECTION_COLLECT, "auto (default), fentry or kprobe",
	  "auto, fentry or kprobe", 0, 0, 0, set_attach },
	{ ID_NO_MODULE_BTF, "no-module-btf", NULL, SECTION_COLLECT,
	  "do as if the iSCSI modules had no BTF",
	  NULL, 0, 0, AT(no_module_btf), set_flag },
	{ ID_MODULE_BTF, "module-btf", "NAME=FILE", SECTION_COLLECT,
	  "BTF of libiscsi, of libiscsi_tcp, where the\nkernel has none",
	  "libiscsi=FILE or libiscsi_tcp=FILE", 0, 0, 0, set_module_btf },
	{ ID_WITHOUT, "without", "HOOK", SECTION_COLLECT, "leave a hook out: submit, dequeue, sent, r2t,\n"
	  "response, complete, cleanup or refused",
	  "one of submit, dequeue, sent, r2t, response, complete, cleanup, refused",
	  0, 0, 0, add_without },
	{ ID_MAX_INFLIGHT, "max-inflight", "N", SECTION_COLLECT,
	  "commands in flight to follow; default 16384",
	  "a number of commands", 1, TABLE_SIZE_LIMIT, AT(max_inflight), set_u32 },
	{ ID_MAX_KEYS, "max-keys", "N", SECTION_COLLECT,
	  "combinations of session, LUN, operation and\nsize to count; default 4096",
	  "a number of combinations", 1, TABLE_SIZE_LIMIT, AT(max_keys), set_u32 },
	{ ID_MAX_AGE, "max-age", "SECONDS", SECTION_COLLECT,
	  "give commands up that are in flight for\nlonger; default and minimum 600",
	  "seconds", 600, MAX_AGE_LIMIT_S, 0, set_max_age },

	{ ID_CHECK, "check", NULL, SECTION_OTHER,
	  "say what this host has for tracing and what it\nlacks, then exit",
	  NULL, 0, 0, AT(check), set_flag },
	{ 'v', "verbose", NULL, SECTION_OTHER, "say what is done; twice: libbpf's messages too",
	  NULL, 0, 0, AT(verbose), set_more },
	{ 'q', "quiet", NULL, SECTION_OTHER, "no warnings", NULL, 0, 0, AT(quiet), set_flag },
	{ 'h', "help", NULL, SECTION_OTHER, "this text", NULL, 0, 0, 0, NULL },
	{ 'V', "version", NULL, SECTION_OTHER, "the version", NULL, 0, 0, 0, NULL },
};

static const struct cli_option positionals[] = {
	{ ID_INTERVAL, "the interval", NULL, SECTION_OTHER, NULL,
	  "seconds from 0.01 to 86400, like 1 or 0.5", 0, 0, 0, set_interval },
	{ ID_COUNT, "the count", NULL, SECTION_OTHER, NULL,
	  "a number of intervals", 1, UINT32_MAX, AT(count), set_u64 },
};
/* clang-format on */

const size_t option_count = ARRAY_SIZE(option_table);

const struct cli_option *option_by_id(int id)
{
	for (size_t i = 0; i < option_count; i++) {
		if (option_table[i].id == id)
			return &option_table[i];
	}
	return option_positional(id);
}

const struct cli_option *option_by_name(const char *name, size_t length)
{
	for (size_t i = 0; i < option_count; i++) {
		if (strlen(option_table[i].name) == length &&
		    !memcmp(option_table[i].name, name, length))
			return &option_table[i];
	}
	return NULL;
}

const struct cli_option *option_positional(int id)
{
	for (size_t i = 0; i < ARRAY_SIZE(positionals); i++) {
		if (positionals[i].id == id)
			return &positionals[i];
	}
	return NULL;
}

void option_label(const struct cli_option *option, char *out, size_t size)
{
	if (option->id < ID_OP)
		snprintf(out, size, "-%c/--%s", option->id, option->name);
	else if (option->id < ID_INTERVAL)
		snprintf(out, size, "--%s", option->name);
	else
		snprintf(out, size, "%s", option->name);
}
