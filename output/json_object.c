/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Members of JSON objects as the machine format has them. */
#include "output/json_object.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include "common/cleanup.h"
#include "output/printer_ops.h"
#include "output/stamp.h"
#include "output/text.h"

#define SCHEMA 1

/* Something of the line being made is missing for want of memory. */
static bool incomplete;

static void add(struct json_object *object, const char *name, struct json_object *member)
{
	if (!object || json_object_object_add(object, name, member) < 0) {
		json_object_put(member);
		incomplete = true;
	}
}

static void add_new(struct json_object *object, const char *name, struct json_object *member)
{
	if (member)
		add(object, name, member);
	else
		incomplete = true;
}

struct json_object *json_open_object(const char *type, uint64_t time_ns)
{
	struct json_object *object = json_object_new_object();
	char stamp[STAMP_SIZE];

	stamp_utc(time_ns, stamp);
	json_add_count(object, "schema", SCHEMA);
	json_add_text(object, "type", type);
	json_add_text(object, "time", stamp);
	return object;
}

void json_add_count(struct json_object *object, const char *name, uint64_t count)
{
	add_new(object, name, json_object_new_uint64(count));
}

void json_add_null(struct json_object *object, const char *name)
{
	add(object, name, NULL);
}

void json_add_text(struct json_object *object, const char *name, const char *text)
{
	cleanup_free char *valid = malloc(4 * strlen(text) + 1);
	char *out = valid;

	if (!valid) {
		incomplete = true;
		return;
	}
	while (*text) {
		size_t length = text_utf8_length(text);

		if (length) {
			memcpy(out, text, length);
			out += length;
		} else {
			out += sprintf(out, "\\x%02x", (unsigned char)*text);
		}
		text += length ? length : 1;
	}
	add_new(object, name, json_object_new_string_len(valid, out - valid));
}

struct json_object *json_add_object(struct json_object *object, const char *name)
{
	struct json_object *member = json_object_new_object();

	add_new(object, name, member);
	return member;
}

int json_write_line(struct json_object *object, FILE *out)
{
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text = incomplete ? NULL : json_object_to_json_string_ext(object, flags);
	int err = text ? printer_write(out, text) : -ENOMEM;

	incomplete = false;
	json_object_put(object);
	return err ? err : printer_write(out, "\n");
}
