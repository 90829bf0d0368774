// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* storprototrace: options -> tracer (or recording) -> printer. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include "cli_parser/cli_parser.h"
#include "common/log.h"
#include "iscsi_bpf/check.h"
#include "iscsi_bpf/loop.h"
#include "iscsi_bpf/signals.h"
#include "output/check_print.h"
#include "output/columns.h"
#include "output/field.h"
#include "output/listener.h"
#include "output/report.h"
#include "output/screen.h"
#include "output/top.h"

static enum exit_status trace(struct sink *sink, struct options *options)
{
	struct loop_result result = {0};
	struct source *source = NULL;
	struct check found;
	int err;

	if (options->check) {
		err = check_run(options, &found);
		return exit_status_of(err, check_print(stdout, &found, options->format));
	}
	signals_block(NULL);
	err = source_open(options, &source);
	if (!err)
		err = loop_run(source, options, sink, &result);
	source_close(source);
	losses_warn(result.losses);
	return exit_status_of(err, result.record_failed);
}

/* Who takes intervals beside or instead of the report. */
static enum exit_status serve_and_trace(struct sink *sink, struct options *options)
{
	struct listener *listener;
	struct top *top = NULL;
	enum exit_status status = EXIT_OUTPUT;

	if (!listener_open(options, &sink, &listener) && !top_open(options, &sink, &top))
		status = trace(sink, options);
	top_close(top);
	listener_close(listener);
	return status;
}

int main(int argc, char **argv)
{
	struct options *options = options_process();
	enum cli_result parsed;
	struct report report;
	enum exit_status status = EXIT_FAILED;

	report_hold_standard_streams();
	signal(SIGPIPE, SIG_IGN);
	cli_help_columns(field_help);
	cli_choose_columns(columns_choose);
	cli_need_screen(screen_possible);
	parsed = cli_parse(argc, argv, options, stdout);
	if (parsed == CLI_USAGE)
		return EXIT_USAGE;
	if (parsed == CLI_EXIT)
		return report_flush_stdout() ? EXIT_OUTPUT : EXIT_OK;
	log_setup(options->verbose, options->quiet);
	if (!report_open(&report, options))
		status = serve_and_trace(&report.sink, options);
	if (report_close(&report, status != EXIT_OK))
		status = EXIT_OUTPUT;
	options_deinit(options);
	return status;
}
