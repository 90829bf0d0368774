// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* For the lab's test of filters: the program's options, the library's loop and filter_apply(). */
#include <stdio.h>
#include "cli_parser/cli_parser.h"
#include "common/common.h"
#include "common/log.h"
#include "common/options.h"
#include "iscsi_bpf/iscsi_stats_ebpf.h"

int main(int argc, char **argv)
{
	struct options *options = options_process();
	bool good;

	if (cli_parse(argc, argv, options, stdout) != CLI_RUN)
		return EXIT_USAGE;
	log_setup(options->verbose, options->quiet);
	good = iscsi_stats_ebpf_loop(filter_apply);
	options_deinit(options);
	return good ? EXIT_OK : EXIT_FAILED;
}
