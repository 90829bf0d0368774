/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A field's value as people read it: three significant digits, independent of the locale. */
#include "output/field.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "output/text.h"

/* Nothing is measured finer than a nanosecond, and milliseconds are the unit. */
#define DECIMALS_MS 6
/* Of rates and queues no more is worth its columns. */
#define DECIMALS_OTHER 2
/* From here on a double has no fraction to round and may not fit 64 bits. */
#define WHOLE 1e15

/* Digits behind the point that make three significant ones. */
static int decimals_of(double number, int most)
{
	int decimals = 0;

	for (double limit = 99.95; number > 0 && number < limit && decimals < most; limit /= 10)
		decimals++;
	return decimals;
}

/* printf's %f would take its decimal point from the locale. */
static void number_text(double number, int most, char text[FIELD_TEXT_SIZE])
{
	uint64_t scale = 1, scaled;
	int length;

	if (!(number >= 0 && number < WHOLE)) {
		snprintf(text, FIELD_TEXT_SIZE, "%.0f", number);
		return;
	}
	for (int i = decimals_of(number, most); i > 0; i--)
		scale *= 10;
	scaled = (uint64_t)(number * scale + 0.5);
	length = sprintf(text, "%" PRIu64, scaled / scale);
	if (scale > 1)
		text[length++] = '.';
	for (scale /= 10; scale > 0; scale /= 10)
		text[length++] = (char)('0' + scaled / scale % 10);
	text[length] = '\0';
}

void field_number_text(double number, char text[FIELD_TEXT_SIZE])
{
	number_text(number, DECIMALS_MS, text);
}

void field_text(const struct field *field, const struct iscsi_stats *stats,
		char text[FIELD_TEXT_SIZE])
{
	struct field_value value = {0};

	field->get(field, stats, &value);
	if (!value.known) {
		strcpy(text, "-");
		return;
	}
	switch (field->type) {
	case FIELD_STRING:
		text_safe(value.text, text, FIELD_TEXT_SIZE);
		break;
	case FIELD_COUNT:
		snprintf(text, FIELD_TEXT_SIZE, "%" PRIu64, value.count);
		break;
	case FIELD_SHARE:
		snprintf(text, FIELD_TEXT_SIZE, "%.0f%%", value.number);
		break;
	case FIELD_MS:
		number_text(value.number, DECIMALS_MS, text);
		break;
	default:
		number_text(value.number, DECIMALS_OTHER, text);
	}
}

void field_ms_text(double ns, char text[FIELD_TEXT_SIZE])
{
	number_text(ns / 1e6, DECIMALS_MS, text);
}

void field_percent_text(double percent, char point, char *text, size_t size)
{
	uint64_t millionths = (uint64_t)(percent * 1e6 + 0.5);
	size_t length;

	snprintf(text, size, "%" PRIu64 "%c%06" PRIu64, millionths / 1000000, point,
		 millionths % 1000000);
	length = strlen(text);
	while (length > 1 && text[length - 1] == '0')
		text[--length] = '\0';
	if (length > 1 && text[length - 1] == point)
		text[length - 1] = '\0';
}
