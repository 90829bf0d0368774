// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Of the lab's test of the library: what handlers return decides how the loop ends. */
#include <errno.h>
#include <stdio.h>
#include "common/common.h"
#include "common/options.h"
#include "iscsi_bpf/iscsi_stats_ebpf.h"

static int answer;
static unsigned int calls;

static int handle(struct iscsi_stats *stats)
{
	(void)stats;
	calls++;
	return answer;
}

/* Loads twice, runs three intervals at most. */
static void try_answer(const char *name, int value)
{
	bool first, second, loop;

	answer = value;
	calls = 0;
	first = iscsi_stats_ebpf_load_and_attach();
	second = iscsi_stats_ebpf_load_and_attach();
	loop = iscsi_stats_ebpf_loop(handle);
	printf("%s: loads %d %d, loop %d, calls %u\n", name, first, second, loop, calls);
	fflush(stdout);
}

int main(void)
{
	options_process()->interval_ns = 200000000;
	options_process()->count = 3;
	try_answer("0", 0);
	try_answer("1", 1);
	try_answer("-ECANCELED", -ECANCELED);
	try_answer("-EIO", -EIO);
	printf("no handler: loop %d\n", iscsi_stats_ebpf_loop(NULL));
	return 0;
}
