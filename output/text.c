/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text from elsewhere made safe to show on a terminal and in UTF-8 files. */
#define _GNU_SOURCE /* wcwidth */
#include "output/text.h"

#include <langinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define SHORTEST 8

locale_t text_locale(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);

	return locale ? locale : newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Bytes and columns of the character at s; 0 bytes when it is none that may be shown. */
static size_t shown_character(const char *s, size_t *columns)
{
	mbstate_t state = {0};
	wchar_t wide;
	size_t length = mbrtowc(&wide, s, strlen(s), &state);
	int width;

	if (length == 0 || length == (size_t)-1 || length == (size_t)-2)
		return 0;
	/* No column: combining marks, and the format characters that reorder a line. */
	width = wcwidth(wide);
	if (width <= 0 || wide == L' ')
		return 0;
	*columns = width;
	return length;
}

void text_safe(const char *in, char *out, size_t out_size)
{
	size_t used = 0, columns;

	while (*in) {
		size_t length = shown_character(in, &columns);
		char escaped[5];

		if (length == 0)
			snprintf(escaped, sizeof(escaped), "\\x%02x", (unsigned char)*in);
		if (used + (length ? length : 4) >= out_size)
			break;
		memcpy(out + used, length ? in : escaped, length ? length : 4);
		used += length ? length : 4;
		in += length ? length : 1;
	}
	out[used] = '\0';
}

size_t text_width(const char *text)
{
	size_t width = 0, columns;

	while (*text) {
		size_t length = shown_character(text, &columns);

		width += length ? columns : 1;
		text += length ? length : 1;
	}
	return width;
}

/* The first character from which on at most `width` columns are left. */
static const char *tail_of(const char *text, size_t width)
{
	size_t columns;

	while (text_width(text) > width) {
		size_t length = shown_character(text, &columns);

		text += length ? length : 1;
	}
	return text;
}

/* Bytes of the beginning that takes at most `width` columns. */
static size_t head_of(const char *text, size_t width)
{
	size_t bytes = 0, used = 0, columns = 1;

	while (text[bytes]) {
		size_t length = shown_character(text + bytes, &columns);

		if (used + columns > width)
			break;
		used += columns;
		bytes += length ? length : 1;
	}
	return bytes;
}

void text_shorten(char *text, size_t width)
{
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	const char *mark = utf8 ? "…" : "..";
	size_t mark_width = utf8 ? 1 : 2, head;
	const char *tail;

	if (width < SHORTEST)
		width = SHORTEST;
	if (text_width(text) <= width)
		return;
	/* Names of one array begin alike and differ at the end. */
	head = head_of(text, (width - mark_width) / 3);
	tail = tail_of(text + head, width - mark_width - (width - mark_width) / 3);
	/* The mark can be longer in bytes than what it stands for: the tail moves first. */
	memmove(text + head + strlen(mark), tail, strlen(tail) + 1);
	memcpy(text + head, mark, strlen(mark));
}

void text_cut(char *text, size_t width)
{
	while (*text) {
		size_t columns, length = shown_character(text, &columns);

		if (!length)
			length = columns = 1;
		if (columns > width)
			break;
		width -= columns;
		text += length;
	}
	*text = '\0';
}

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

size_t text_utf8_length(const char *s)
{
	const unsigned char *b = (const unsigned char *)s;

	if (b[0] < 0x80)
		return b[0] != 0;
	if (b[0] < 0xc2 || !is_continuation(b[1]))
		return 0;
	if (b[0] < 0xe0)
		return 2;
	if (!is_continuation(b[2]))
		return 0;
	if (b[0] < 0xf0) {
		bool overlong = b[0] == 0xe0 && b[1] < 0xa0;
		bool surrogate = b[0] == 0xed && b[1] >= 0xa0;

		return overlong || surrogate ? 0 : 3;
	}
	if (b[0] > 0xf4 || !is_continuation(b[3]))
		return 0;
	return (b[0] == 0xf0 && b[1] < 0x90) || (b[0] == 0xf4 && b[1] >= 0x90) ? 0 : 4;
}

/* C0, DEL, and C1 in UTF-8: terminals take them for commands. */
static bool is_control(const char *s)
{
	const unsigned char *b = (const unsigned char *)s;

	return b[0] < 0x20 || b[0] == 0x7f || (b[0] == 0xc2 && b[1] < 0xa0);
}

void text_valid(const char *in, char *out)
{
	while (*in) {
		size_t length = text_utf8_length(in);

		if (length && (*in == '\n' || !is_control(in))) {
			memcpy(out, in, length);
			out += length;
			in += length;
		} else {
			out += sprintf(out, "\\x%02x", (unsigned char)*in++);
		}
	}
	*out = '\0';
}
