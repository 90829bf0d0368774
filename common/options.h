/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the user asked for; filled by cli_parser, read by everybody else. */
#ifndef STORPROTOTRACE_OPTIONS_H
#define STORPROTOTRACE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include "common/filter.h"
#include "common/group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exit status of the program: part of its interface. */
enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1,        /* failed while running */
	EXIT_USAGE = 2,         /* the command line is wrong */
	EXIT_NOT_PERMITTED = 3, /* privilege is missing */
	EXIT_UNFIT_KERNEL = 4,  /* this kernel lacks what is needed */
	EXIT_OUTPUT = 5,        /* output could not be written */
};

/* The status of a run that ended with 0 or -errno; `output_failed`: it could not write. */
enum exit_status exit_status_of(int err, bool output_failed);

enum output_format {
	FORMAT_TABLE,
	FORMAT_JSON,
	FORMAT_CSV,
	FORMAT_PROMETHEUS,  /* text exposition 0.0.4; counts since the start */
	FORMAT_OPENMETRICS, /* OpenMetrics 1.0; the same */
	FORMAT_HTML,        /* one page of all intervals, at the end */
};

/* How hooks are attached. */
enum attach_mode {
	ATTACH_AUTO, /* fentry where it attaches, kprobe otherwise, hook by hook */
	ATTACH_FENTRY,
	ATTACH_KPROBE,
};

#define PERCENTILES_MAX 8

struct options {
	struct filter filter;
	uint32_t by;           /* set of enum group_by */
	uint64_t interval_ns;  /* > 0 */
	uint64_t merge_ns;     /* of a replay: readings are added up to so much; 0: as recorded */
	uint64_t count;        /* reports; 0: until stopped */
	enum output_format format;
	double percentiles[PERCENTILES_MAX]; /* 0 < p <= 100, in the order given */
	uint32_t percentile_count;           /* 0: the defaults of the format */
	uint32_t histograms;   /* -H: bit per stage whose histograms are drawn below the table */
	uint32_t heatmap;      /* --heatmap: the bit of the stage that is drawn; 0: none */
	const char *columns;   /* --columns LIST of table or csv; NULL: the usual. Points into argv */
	bool timestamp;        /* -T */
	bool utc;              /* --utc: times for people in UTC, not in local time */
	bool hide_idle;        /* -z */
	bool extended;         /* -x: all stages */
	bool events;           /* -e: an event per command */
	bool cumulative;       /* since the start instead of per interval */
	bool strict;           /* absent names and modules are failures */
	bool once;             /* -1: one interval, then exit (count is 1 too) */
	bool skip_partial;     /* -y: an interval shortened to end on a whole second is not shown */
	uint32_t verbose;      /* 0, 1: what the tool does, 2: libbpf's messages too */
	bool quiet;            /* warnings off; errors stay */
	const char *output;    /* -o FILE; NULL: stdout. Points into argv */
	struct sockaddr_storage listen; /* --listen: where /metrics is served; AF_UNSPEC: nowhere */
	bool serve_only;       /* --listen, and nothing that asks for reports: none are printed */
	const char *record;    /* --record FILE; NULL: none */
	const char *replay;    /* --replay FILE; NULL: live */
	enum attach_mode attach;
	const char *btf;       /* --btf: the kernel's own from FILE; NULL: from /sys/kernel/btf */
	const char *libiscsi_btf;     /* --module-btf libiscsi=FILE; NULL: none. Points into argv */
	const char *libiscsi_tcp_btf; /* the same for libiscsi_tcp */
	uint32_t without;      /* hooks left out; bit per index in hook_infos */
	bool drop;             /* give capabilities up once attached */
	bool check;            /* say what this host has and lacks, then exit */
	bool no_module_btf;    /* do as if the modules had no BTF */
	uint32_t max_inflight; /* entries of the in-flight table */
	uint32_t max_keys;     /* entries of the counter table */
	uint64_t max_age_ns;   /* in-flight entries older than this are given up; >= 10 min */
};

#define OPTIONS_MAX_INFLIGHT 16384
#define OPTIONS_MAX_KEYS     4096
#define OPTIONS_MAX_AGE_NS   (600ULL * 1000000000ULL)

/* The defaults: by connection, every second, until stopped, table. */
void options_init(struct options *o);

/* Frees what the options own. NULL is fine. */
void options_deinit(struct options *o);

/*
 * The process's options: what iscsi_stats_ebpf_loop() and filter_apply() go by. The defaults until
 * somebody (cli_parse() of the program) fills them. Never NULL, not to be freed.
 */
struct options *options_process(void);

#ifdef __cplusplus
}
#endif

#endif
