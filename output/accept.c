/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Accept headers: media ranges, each with its weight in thousandths. */
#include "output/accept.h"

#include <string.h>
#include <strings.h>

#define WEIGHT_FULL 1000

/* A part of the header. */
struct piece {
	const char *text; /* NULL: nothing is left */
	size_t length;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Cuts what is before the separator, without blanks around it, from `rest`. False: nothing left. */
static bool cut(struct piece *rest, char separator, struct piece *out)
{
	const char *end;

	if (!rest->text)
		return false;
	*out = *rest;
	end = memchr(rest->text, separator, rest->length);
	*rest = (struct piece){0};
	if (end) {
		size_t length = (size_t)(end - out->text);

		*rest = (struct piece){end + 1, out->length - length - 1};
		out->length = length;
	}
	while (out->length && is_blank(out->text[out->length - 1]))
		out->length--;
	for (; out->length && is_blank(*out->text); out->length--)
		out->text++;
	return true;
}

static bool is(const struct piece *piece, const char *word)
{
	return piece->length == strlen(word) && !strncasecmp(piece->text, word, piece->length);
}

/* "1", "0.75": at most three digits after the point. 0: "not this one", also what is no weight. */
static int weight_of(const struct piece *value)
{
	int weight = 0, scale = WEIGHT_FULL;

	for (size_t i = 0; i < value->length; i++) {
		char c = value->text[i];

		if (i == 1 && c == '.')
			continue;
		if (c < '0' || c > '9' || i > 4 || (i == 1 && c != '.'))
			return 0;
		weight += (c - '0') * scale;
		scale /= 10;
	}
	return weight <= WEIGHT_FULL ? weight : 0;
}

/* The weight of a range with its parameters; 0 for a version that we do not speak. */
static int range_weight(struct piece *parameters, const char *version)
{
	int weight = WEIGHT_FULL;
	struct piece parameter;

	while (cut(parameters, ';', &parameter)) {
		struct piece name, value = parameter;

		cut(&value, '=', &name);
		if (!value.text)
			continue;
		if (is(&name, "q"))
			weight = weight_of(&value);
		else if (is(&name, "version") && !is(&value, version))
			return 0;
	}
	return weight;
}

static void raise(int *weight, int to)
{
	if (*weight < to)
		*weight = to;
}

bool accept_openmetrics(const char *header)
{
	struct piece rest = {header, header ? strlen(header) : 0}, range, type;
	int openmetrics = 0, text = 0;

	while (cut(&rest, ',', &range)) {
		cut(&range, ';', &type);
		if (is(&type, "application/openmetrics-text"))
			raise(&openmetrics, range_weight(&range, "1.0.0"));
		else if (is(&type, "text/plain"))
			raise(&text, range_weight(&range, "0.0.4"));
	}
	return openmetrics > 0 && openmetrics >= text;
}
