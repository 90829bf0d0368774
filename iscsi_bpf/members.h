/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Members of a JSON object that nobody vouches for, taken by name, type and range. */
#ifndef STORPROTOTRACE_MEMBERS_H
#define STORPROTOTRACE_MEMBERS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What is taken after something was missing or wrong is 0, empty, NULL: the caller takes all it
 * wants and looks at `bad` once.
 */
struct members {
	struct json_object *object;
	const char *bad; /* the first member that was missing or wrong; NULL: none so far */
};

/* Is there such a member, of whatever type? For those that an older recording lacks. */
bool members_has(const struct members *m, const char *name);

/* An integer of 0 .. max. */
uint64_t members_number(struct members *m, const char *name, uint64_t max);

bool members_bool(struct members *m, const char *name);

/* A string without NUL that fits `out` with its end. */
void members_text(struct members *m, const char *name, char *out, size_t out_size);

/* An array of at most `max` elements, an object; owned by the object they are taken from. */
struct json_object *members_array(struct members *m, const char *name, size_t max);
struct json_object *members_object(struct members *m, const char *name);

/* The number of the string among name_of(0 .. count - 1). */
uint32_t members_choice(struct members *m, const char *name, const char *(*name_of)(uint32_t),
			uint32_t count);

/* Is it an integer of 0 .. max, and which? */
bool json_number(struct json_object *value, uint64_t max, uint64_t *out);

/* Is it an array of exactly `count` integers, and which? */
bool json_numbers(struct json_object *array, size_t count, uint64_t *out);

#endif
