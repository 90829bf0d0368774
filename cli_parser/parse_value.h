/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Strict parsing of values: the whole string, within its range, or an error; nothing is printed. */
#ifndef STORPROTOTRACE_PARSE_VALUE_H
#define STORPROTOTRACE_PARSE_VALUE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A word that may be given and the number or bit it stands for. */
struct word {
	const char *text;
	uint32_t value;
};

/* All return 0; -EINVAL: not what is expected; -ERANGE: it is, but below min or above max. */

/* Decimal digits only: no sign, no space, no other base. */
int parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* Seconds with an optional fraction of up to 9 digits: "1", "0.5", ".25". */
int parse_seconds(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *out_ns);

/* Milliseconds with an optional fraction of up to 6 digits: "50", "0.5". */
int parse_milliseconds(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *out_ns);

/*
 * "50,99,99.9": up to `size` different numbers, each above 0, at most 100, with at most 4 digits
 * after the point. *count is set on success only.
 */
int parse_percentiles(const char *text, double *percentiles, uint32_t size, uint32_t *count);

/*
 * "127.0.0.1:9300", "[::1]:9300"; without an address, ":9300", 127.0.0.1. Addresses are numeric: a
 * name may have several, or none today.
 */
int parse_address(const char *text, struct sockaddr_storage *out);

/* Exactly one of the words. */
int parse_word(const char *text, const struct word *words, size_t word_count, uint32_t *out);

/* "one,two": the words' values OR-ed. */
int parse_words(const char *text, const struct word *words, size_t word_count, uint32_t *out);

#ifdef __cplusplus
}
#endif

#endif
