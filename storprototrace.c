// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* storprototrace: options -> tracer (or recording) -> printer. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "cli_parser/cli_parser.h"
#include "common/log.h"
#include "iscsi_bpf/loop.h"
#include "output/field.h"
#include "output/report.h"

struct program {
	struct loop_sink sink;
	struct report report;
};

static int on_interval(struct loop_sink *sink, const struct reading *r,
		       const struct records *records)
{
	return report_interval(&((struct program *)sink)->report, r, records);
}

static int on_reopen(struct loop_sink *sink)
{
	return report_reopen(&((struct program *)sink)->report);
}

static int trace(struct program *program, struct options *options)
{
	uint64_t losses[LOSS_COUNT] = {0};
	struct source *source = NULL;
	int err;

	program->sink.interval = on_interval;
	program->sink.reopen = report_has_file(&program->report) ? on_reopen : NULL;
	loop_block_signals(NULL);
	err = source_open(options, &source);
	if (!err)
		err = loop_run(source, options, &program->sink, losses);
	source_close(source);
	losses_warn(losses);
	return err == -ECANCELED ? 0 : err;
}

static enum exit_status exit_status(int err, int output_err)
{
	if (output_err)
		return EXIT_OUTPUT;
	if (err == -EPERM)
		return EXIT_NOT_PERMITTED;
	if (err == -EOPNOTSUPP)
		return EXIT_UNFIT_KERNEL;
	return err ? EXIT_FAILED : EXIT_OK;
}

int main(int argc, char **argv)
{
	struct options *options = options_process();
	enum cli_result parsed;
	struct program program;
	int err;

	signal(SIGPIPE, SIG_IGN);
	cli_help_columns(field_help);
	parsed = cli_parse(argc, argv, options, stdout);
	if (parsed == CLI_USAGE)
		return EXIT_USAGE;
	if (parsed == CLI_EXIT)
		return fflush(stdout) ? EXIT_OUTPUT : EXIT_OK;
	log_setup(options->verbose, options->quiet);
	err = report_open(&program.report, options);
	if (!err)
		err = trace(&program, options);
	err = exit_status(err, report_close(&program.report));
	options_deinit(options);
	return err;
}
