/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A file that its readers only ever see whole: written beside it, then renamed over it. */
#ifndef STORPROTOTRACE_WHOLE_FILE_H
#define STORPROTOTRACE_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Owns its strings. */
struct whole_file {
	char *path;   /* what readers open, symbolic links resolved; NULL: not in use */
	char *beside; /* in the same folder, so that it can be renamed; not ending as `path` does */
};

/* Can `path` be replaced: is it a file, or nothing yet, and not a device or a pipe? */
bool whole_file_possible(const char *path);

/* Makes sure that a file can be made beside `path`. 0 or -errno. */
int whole_file_init(struct whole_file *file, const char *path);

/* All zero is fine. */
void whole_file_deinit(struct whole_file *file);

/* A stream that goes beside the file, with the owner and mode the file has, if there is one. 0 or
 * -errno. */
int whole_file_begin(struct whole_file *file, FILE **out);

/* Closes the stream; it becomes the file unless `err` or closing failed. `err`, 0 or -errno. */
int whole_file_end(struct whole_file *file, FILE *out, int err);

#ifdef __cplusplus
}
#endif

#endif
