/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Members of a JSON object that nobody vouches for. */
#include "iscsi_bpf/members.h"

#include <string.h>

static struct json_object *take(struct members *m, const char *name, enum json_type type)
{
	struct json_object *value = NULL;

	if (m->bad)
		return NULL;
	if (json_object_object_get_ex(m->object, name, &value) && json_object_is_type(value, type))
		return value;
	m->bad = name;
	return NULL;
}

bool members_has(const struct members *m, const char *name)
{
	return !m->bad && json_object_object_get_ex(m->object, name, NULL);
}

bool json_number(struct json_object *value, uint64_t max, uint64_t *out)
{
	/* json-c makes 0 of negative numbers when asked for an unsigned one. */
	if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0 ||
	    json_object_get_uint64(value) > max)
		return false;
	*out = json_object_get_uint64(value);
	return true;
}

bool json_numbers(struct json_object *array, size_t count, uint64_t *out)
{
	if (!json_object_is_type(array, json_type_array) ||
	    json_object_array_length(array) != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!json_number(json_object_array_get_idx(array, i), UINT64_MAX, &out[i]))
			return false;
	}
	return true;
}

uint64_t members_number(struct members *m, const char *name, uint64_t max)
{
	struct json_object *value = take(m, name, json_type_int);
	uint64_t number = 0;

	if (value && !json_number(value, max, &number))
		m->bad = name;
	return number;
}

bool members_bool(struct members *m, const char *name)
{
	return json_object_get_boolean(take(m, name, json_type_boolean));
}

void members_text(struct members *m, const char *name, char *out, size_t out_size)
{
	struct json_object *value = take(m, name, json_type_string);
	size_t length = value ? (size_t)json_object_get_string_len(value) : 0;

	out[0] = '\0';
	if (!value)
		return;
	if (length >= out_size || strlen(json_object_get_string(value)) != length)
		m->bad = name;
	else
		memcpy(out, json_object_get_string(value), length + 1);
}

struct json_object *members_array(struct members *m, const char *name, size_t max)
{
	struct json_object *value = take(m, name, json_type_array);

	if (!value || json_object_array_length(value) <= max)
		return value;
	m->bad = name;
	return NULL;
}

struct json_object *members_object(struct members *m, const char *name)
{
	return take(m, name, json_type_object);
}

uint32_t members_choice(struct members *m, const char *name, const char *(*name_of)(uint32_t),
			uint32_t count)
{
	struct json_object *value = take(m, name, json_type_string);

	for (uint32_t i = 0; value && i < count; i++) {
		if (strcmp(json_object_get_string(value), name_of(i)) == 0)
			return i;
	}
	m->bad = m->bad ? m->bad : name;
	return 0;
}
