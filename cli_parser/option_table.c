/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The option table. */
#include <stdio.h>
#include <string.h>
#include "cli_parser/option_set.h"

#define TABLE_SIZE_LIMIT (1 << 20)
#define MAX_AGE_LIMIT_S	 31536000

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define AT(member) offsetof(struct options, member)
#define ISCSI_NAME "an iSCSI name or shell pattern, 1 to 223 bytes"

/* clang-format off */
const struct cli_option option_table[] = {
	{ 't', "target", "NAME", SECTION_FILTER, "target name, exact or shell pattern",
	  ISCSI_NAME, 0, 0, AT(filter.targets), option_add_iscsi_name },
	{ 'i', "initiator", "NAME", SECTION_FILTER, "initiator name, exact or shell pattern",
	  ISCSI_NAME, 0, 0, AT(filter.initiators), option_add_iscsi_name },
	{ 's', "sid", "N", SECTION_FILTER, "session id, N of sessionN",
	  "a session id", 0, UINT32_MAX, AT(filter.sids), option_add_id },
	{ 'c', "cid", "N", SECTION_FILTER, "connection id within its session",
	  "a connection id", 0, UINT32_MAX, AT(filter.cids), option_add_id },
	{ 'l', "lun", "N", SECTION_FILTER, "LUN as Linux shows it",
	  "a LUN", 0, UINT64_MAX, AT(filter.luns), option_add_id },
	{ 'd', "disk", "DISK", SECTION_FILTER, "sda, /dev/sda, a /dev/disk/by-id link, 8:0,\n"
	  "dm-0 or a multipath name (all its paths)",
	  "the name of a disk", 0, 0, AT(filter.disks), option_add_disk },
	{ ID_OP, "op", "LIST", SECTION_FILTER, "read, write, other",
	  "a list of read, write, other", 0, 0, AT(filter.ops), option_add_ops },

	{ 'b', "by", "LIST", SECTION_GROUP, "one row per different value of these:\n"
	  "initiator, target, portal, sid, cid, lun,\n"
	  "disk, mpath, op, size; default: sid,cid",
	  "a list of initiator, target, portal, sid, cid, lun, disk, mpath, op, size",
	  0, 0, AT(by), option_set_by },
	{ ID_CUMULATIVE, "cumulative", NULL, SECTION_GROUP,
	  "count since the start, not per interval",
	  NULL, 0, 0, AT(cumulative), option_set_flag },

	{ ID_SLOWER, "slower", "MS", SECTION_EVENTS, "a line per command that took MS or longer",
	  "milliseconds above 0 up to 86400000, like 50 or 0.5", 0, 0, AT(filter.slower_ns),
	  option_set_milliseconds },
	{ 'e', "events", NULL, SECTION_EVENTS, "a line per command", NULL, 0, 0, AT(events), option_set_flag },
	{ ID_STUCK, "stuck", "MS", SECTION_EVENTS, "a line per command in flight for MS or longer,\n"
	  "again when its stage changes or its age has\ndoubled",
	  "milliseconds above 0 up to 86400000, like 5000", 0, 0, AT(filter.stuck_ns),
	  option_set_milliseconds },

	{ 'x', "extended", NULL, SECTION_OUTPUT, "all stages", NULL, 0, 0, AT(extended), option_set_flag },
	{ 'p', "percentiles", "LIST", SECTION_OUTPUT, "percentiles of the total, e.g. 50,99,99.9",
	  "up to 8 different percentages above 0 up to 100, at most 4 decimals, like 50,99,99.9",
	  0, 0, 0, option_set_percentiles },
	{ 'H', "histogram", NULL, SECTION_OUTPUT, "histograms of the total, below the table",
	  NULL, 0, 0, 0, NULL },
	{ ID_HISTOGRAM_OF, "histogram-of", "LIST", SECTION_OUTPUT,
	  "histograms of these: block, busy, queue, send,\n"
	  "r2t, data_out, target, data_in, done, total",
	  "a list of block, busy, queue, send, r2t, data_out, target, data_in, done, total",
	  0, 0, AT(histograms), option_set_stages },
	{ ID_HEATMAP, "heatmap", "[=STAGE]", SECTION_OUTPUT,
	  "latency over time instead of the table, of the\n"
	  "total or a stage: one column per interval; all\nin one map without -b",
	  "block, busy, queue, send, r2t, data_out, target, data_in, done or total",
	  0, 0, AT(heatmap), option_set_stage },
	{ ID_COLUMNS, "columns", "LIST", SECTION_OUTPUT,
	  "these columns of table or csv, in this order;\n'help' lists them",
	  "a list of columns, or 'help'", 0, 0, AT(columns), option_set_columns },
	{ 'z', "hide-idle", NULL, SECTION_OUTPUT, "leave out rows in which nothing happened",
	  NULL, 0, 0, AT(hide_idle), option_set_flag },
	{ 'T', "timestamp", NULL, SECTION_OUTPUT, "wall-clock time with each report",
	  NULL, 0, 0, AT(timestamp), option_set_flag },
	{ ID_UTC, "utc", NULL, SECTION_OUTPUT, "times in UTC instead of local time",
	  NULL, 0, 0, AT(utc), option_set_flag },
	{ 'j', "json", NULL, SECTION_OUTPUT, "the same as --format json",
	  NULL, 0, 0, 0, NULL },
	{ 'f', "format", "FORMAT", SECTION_OUTPUT, "table (default), json (an object per line), csv;\n"
	  "prometheus or openmetrics (since the start);\nhtml (a page of everything, at the end)",
	  "table, json, csv, prometheus, openmetrics or html", 0, 0, 0, option_set_format },
	{ 'o', "output", "FILE", SECTION_OUTPUT, "write there instead of to standard output",
	  "a file name", 0, 0, AT(output), option_set_file },

	{ ID_LISTEN, "listen", "ADDR:PORT", SECTION_OUTPUT, "serve metrics there, at /metrics, for Prometheus;\n"
	  ":9300 is 127.0.0.1:9300. Reports are printed only\nif -f or another of these options is given",
	  "an address and a port, like :9300, 127.0.0.1:9300, 0.0.0.0:9300 or [::1]:9300", 0, 0,
	  AT(listen), option_set_listen },

	{ '1', "once", NULL, SECTION_COLLECT, "one interval, then exit",
	  NULL, 0, 0, AT(once), option_set_flag },
	{ 'y', "skip-partial", NULL, SECTION_COLLECT, "without the first report, which is shorter to\n"
	  "end on a whole second; it does not count",
	  NULL, 0, 0, AT(skip_partial), option_set_flag },
	{ ID_NO_SESSION_EVENTS, "no-session-events", NULL, SECTION_COLLECT,
	  "no logins, connection errors, aborts, ...",
	  NULL, 0, 0, AT(filter.no_session_events), option_set_flag },
	{ ID_STRICT, "strict", NULL, SECTION_COLLECT,
	  "fail if a name or module is absent, do not wait",
	  NULL, 0, 0, AT(strict), option_set_flag },
	{ ID_RECORD, "record", "FILE", SECTION_COLLECT, "record everything to a file as well",
	  "a file name", 0, 0, AT(record), option_set_file },
	{ ID_REPLAY, "replay", "FILE", SECTION_COLLECT, "report from a recording; needs no privilege",
	  "a file name", 0, 0, AT(replay), option_set_file },
	{ ID_ATTACH, "attach", "HOW", SECTION_COLLECT, "auto (default), fentry or kprobe",
	  "auto, fentry or kprobe", 0, 0, 0, option_set_attach },
	{ ID_NO_MODULE_BTF, "no-module-btf", NULL, SECTION_COLLECT,
	  "do as if the iSCSI modules had no BTF",
	  NULL, 0, 0, AT(no_module_btf), option_set_flag },
	{ ID_MODULE_BTF, "module-btf", "NAME=FILE", SECTION_COLLECT,
	  "BTF of libiscsi, of libiscsi_tcp, where the\nkernel has none",
	  "libiscsi=FILE or libiscsi_tcp=FILE", 0, 0, 0, option_set_module_btf },
	{ ID_BTF, "btf", "FILE", SECTION_COLLECT, "the kernel's own BTF, where it has none",
	  "a file name", 0, 0, AT(btf), option_set_file },
	{ ID_DROP, "drop", NULL, SECTION_COLLECT, "give all capabilities up once attached",
	  NULL, 0, 0, AT(drop), option_set_flag },
	{ ID_WITHOUT, "without", "HOOK", SECTION_COLLECT, "leave a hook out: submit, dequeue, sent, r2t,\n"
	  "response, complete, cleanup or refused",
	  "one of submit, dequeue, sent, r2t, response, complete, cleanup, refused",
	  0, 0, 0, option_add_without },
	{ ID_MAX_INFLIGHT, "max-inflight", "N", SECTION_COLLECT,
	  "commands in flight to follow; default 16384",
	  "a number of commands", 1, TABLE_SIZE_LIMIT, AT(max_inflight), option_set_u32 },
	{ ID_MAX_KEYS, "max-keys", "N", SECTION_COLLECT,
	  "combinations of session, LUN, operation and\nsize to count; default 4096",
	  "a number of combinations", 1, TABLE_SIZE_LIMIT, AT(max_keys), option_set_u32 },
	{ ID_MAX_AGE, "max-age", "SECONDS", SECTION_COLLECT,
	  "give commands up that are in flight for\nlonger; default and minimum 600",
	  "seconds", 600, MAX_AGE_LIMIT_S, 0, option_set_max_age },

	{ ID_CHECK, "check", NULL, SECTION_OTHER,
	  "say what this host has for tracing and what it\nlacks, then exit",
	  NULL, 0, 0, AT(check), option_set_flag },
	{ 'v', "verbose", NULL, SECTION_OTHER, "say what is done; twice: libbpf's messages too",
	  NULL, 0, 0, AT(verbose), option_set_more },
	{ 'q', "quiet", NULL, SECTION_OTHER, "no warnings", NULL, 0, 0, AT(quiet), option_set_flag },
	{ 'h', "help", NULL, SECTION_OTHER, "this text", NULL, 0, 0, 0, NULL },
	{ 'V', "version", NULL, SECTION_OTHER, "the version", NULL, 0, 0, 0, NULL },
};

static const struct cli_option positionals[] = {
	{ ID_INTERVAL, "the interval", NULL, SECTION_OTHER, NULL,
	  "seconds from 0.01 to 86400, like 1 or 0.5", 0, 0, 0, option_set_interval },
	{ ID_COUNT, "the count", NULL, SECTION_OTHER, NULL,
	  "a number of intervals", 1, UINT32_MAX, AT(count), option_set_u64 },
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

enum option_value option_value(const struct cli_option *option)
{
	if (!option->argument)
		return VALUE_NONE;
	return option->argument[0] == '[' ? VALUE_ATTACHED : VALUE_NEEDED;
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
