/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The signals that end the program, or have it open its files anew. */
#ifndef STORPROTOTRACE_SIGNALS_H
#define STORPROTOTRACE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Fills *set: those of INT, TERM and HUP that were not ignored when the program started. */
void signals_wanted(sigset_t *set);

/*
 * Signals the loop takes (INT, TERM, HUP; not those ignored at the start) are blocked from here on,
 * so that none is lost between loading and the loop. Call before source_open(). `before`, unless
 * NULL, gets the mask as it was.
 */
void signals_block(sigset_t *before);

/*
 * Waits at most so long for one of the blocked signals. True when one came: the program is to end.
 * For waits before there is a loop.
 */
bool signals_stop_requested(unsigned int milliseconds);

#endif
