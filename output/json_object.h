/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Members of JSON objects as the machine format has them; for output/ only. */
#ifndef STORPROTOTRACE_JSON_OBJECT_H
#define STORPROTOTRACE_JSON_OBJECT_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

/* An object as every line has it: schema, type, time (CLOCK_REALTIME). Released by the caller. */
struct json_object *json_open_object(const char *type, uint64_t time_ns);

/* Add a member. Out of memory: json_write_line() says so, nothing half is written. */
void json_add_count(struct json_object *object, const char *name, uint64_t count);
void json_add_null(struct json_object *object, const char *name);

/* Bytes that are not UTF-8, which JSON cannot have, become the four characters "\xHH". */
void json_add_text(struct json_object *object, const char *name, const char *text);

/* Adds an empty object, owned by `object`, and returns it. */
struct json_object *json_add_object(struct json_object *object, const char *name);

/* Writes the object and a newline; releases it. 0 or -errno. */
int json_write_line(struct json_object *object, FILE *out);

#endif
