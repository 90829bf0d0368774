/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Talk to the user on stderr: "storprototrace: <what> <on what>: <why>", then a hint. */
#ifndef STORPROTOTRACE_LOG_H
#define STORPROTOTRACE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How much is said: quiet drops warnings and notes; verbose 1 adds details, 2 libbpf's own. */
void log_setup(uint32_t verbose, bool quiet);

/* An error (always said), a warning, a note (progress, waiting), a detail (-v). printf-like. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* That something takes seconds: a note for who sits at a terminal, a detail for everybody else. */
void log_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "hint: ..." below an error or warning: what the user can do. Follows the last one's fate. */
void log_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Is detail of this level wanted? */
bool log_verbose(uint32_t level);

#ifdef __cplusplus
}
#endif

#endif
