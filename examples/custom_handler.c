// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program of its own on the library: says which connection was slow in an interval, and where. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "common/common.h"
#include "common/options.h"
#include "iscsi_bpf/iscsi_stats_ebpf.h"

static double limit_ms;

/* Called once per connection and interval; < 0 would end the loop. */
static int say_slow(struct iscsi_stats *stats)
{
	uint64_t p99_ns;
	const char *worst;

	if (iscsi_percentile(stats, STAGE_TOTAL, 99, &p99_ns))
		return 0; /* no command ended */
	if ((double)p99_ns < limit_ms * 1e6)
		return 0;
	worst = iscsi_stage_name(iscsi_worst_stage(stats));
	printf("session %u, %s: %llu commands, 99%% within %.2f ms, most of the time in %s\n",
	       stats->sid, stats->target_name, (unsigned long long)stats->count,
	       (double)p99_ns / 1e6, worst);
	return fflush(stdout) ? -errno : 0;
}

int main(int argc, char **argv)
{
	char *end = NULL;

	if (argc >= 2)
		limit_ms = strtod(argv[1], &end);
	if (argc < 2 || argc > 3 || end == argv[1] || *end) {
		fprintf(stderr, "usage: custom_handler MILLISECONDS [INTERVALS]\n");
		return 2;
	}
	/* The defaults are those of the program: by connection, every second, until a signal. */
	if (argc == 3)
		options_process()->count = strtoull(argv[2], NULL, 10);
	return iscsi_stats_ebpf_loop(say_slow) ? 0 : 1;
}
