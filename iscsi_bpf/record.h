/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Recordings: readings written to a file as JSON lines, and played back as a source. */
#ifndef STORPROTOTRACE_RECORD_H
#define STORPROTOTRACE_RECORD_H

#include "iscsi_bpf/source.h"

#ifdef __cplusplus
extern "C" {
#endif

struct recorder;

/* Opens (truncates) the file and writes the header. 0 or -errno. */
int recorder_open(const char *path, struct recorder **out);

/* Appends one reading and flushes it. 0 or -errno. */
int recorder_write(struct recorder *recorder, const struct reading *r);

/* Closes and re-opens the path, appending (HUP, after logrotate moved the file). 0 or -errno. */
int recorder_reopen(struct recorder *recorder);

/* NULL is fine. 0, or the -errno of what could not be written. */
int recorder_close(struct recorder *recorder);

/*
 * Opens a recording as a source. A file that is no recording or of a later version: -EINVAL (said
 * on stderr with its line). A cut-off end is warned about; what is whole before it is played.
 */
int replay_open(const char *path, struct source **out);

/*
 * A recording in which there is no whole interval, which is warned about, ends with -ENOENT instead
 * of -ENODATA: whatever was asked for is not there.
 */
void replay_require(struct source *source);

#ifdef __cplusplus
}
#endif

#endif
