// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* INT, TERM and HUP are blocked, and taken where the program waits. */
#include "iscsi_bpf/signals.h"

#include <stddef.h>
#include <time.h>

void signals_wanted(sigset_t *set)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(set, signals[i]);
}

void signals_block(sigset_t *before)
{
	sigset_t set;

	signals_wanted(&set);
	sigprocmask(SIG_BLOCK, &set, before);
}

bool signals_stop_requested(unsigned int milliseconds)
{
	const struct timespec timeout = {.tv_sec = milliseconds / 1000,
					 .tv_nsec = milliseconds % 1000 * 1000000};
	sigset_t set;

	signals_wanted(&set);
	return sigtimedwait(&set, NULL, &timeout) > 0;
}
