/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files that may keep their reader waiting, as pipes do: a signal ends the wait. */
#ifndef STORPROTOTRACE_SLOW_FILE_H
#define STORPROTOTRACE_SLOW_FILE_H

#include <stdio.h>

/*
 * Opens for reading, without waiting for a pipe's writer. Reading fails with ECANCELED when one of
 * the loop's signals (to be blocked: signals_block()) comes while there is nothing to read.
 * NULL and errno when it cannot be opened. To be closed with fclose().
 */
FILE *slow_file_open(const char *path);

#endif
