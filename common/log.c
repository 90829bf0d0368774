/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Messages on stderr, each written whole; control characters in them are made visible. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/cleanup.h"
#include "common/log.h"

static uint32_t log_verbosity;
static bool log_quiet;
static bool last_said = true;

void log_setup(uint32_t verbose, bool quiet)
{
	log_verbosity = verbose;
	log_quiet = quiet;
}

bool log_verbose(uint32_t level)
{
	return log_verbosity >= level;
}

/* Bytes of the well-formed UTF-8 character at `text` that a terminal may see; 0: none. */
static size_t printable_size(const unsigned char *text)
{
	size_t size;

	if (text[0] < 0x80)
		return text[0] >= 0x20 && text[0] != 0x7f;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	size = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	for (size_t i = 1; i < size; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	}
	/* U+0080 to U+009F are control characters too. */
	return text[0] == 0xc2 && text[1] < 0xa0 ? 0 : size;
}

static void put_safely(FILE *out, const char *text, bool keep_lines)
{
	while (*text) {
		size_t size = printable_size((const unsigned char *)text);

		if (!size && keep_lines && (*text == '\n' || *text == '\t'))
			size = 1;
		if (size)
			fwrite(text, 1, size, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*text);
		text += size ? size : 1;
	}
}

__attribute__((format(printf, 1, 0))) static char *format_text(const char *format, va_list args)
{
	va_list again;
	char *text;
	int size;

	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = size < 0 ? NULL : malloc((size_t)size + 1);
	if (!text)
		return NULL;
	vsnprintf(text, (size_t)size + 1, format, args);
	if (size && text[size - 1] == '\n')
		text[size - 1] = '\0';
	return text;
}

/* One write per message, so that it is not mixed with another process's on the same terminal. */
__attribute__((format(printf, 3, 0))) static void say(const char *prefix, bool keep_lines,
						      const char *format, va_list args)
{
	cleanup_free char *text = format_text(format, args);
	cleanup_free char *line = NULL;
	size_t size = 0;
	FILE *out;

	out = text ? open_memstream(&line, &size) : NULL;
	if (!out)
		return;
	fputs(prefix, out);
	put_safely(out, text, keep_lines);
	fputc('\n', out);
	if (!fclose(out))
		fputs(line, stderr);
}

#define SAY(prefix, keep_lines, format)                                                            \
	do {                                                                                       \
		va_list args_;                                                                     \
		va_start(args_, format);                                                           \
		say(prefix, keep_lines, format, args_);                                            \
		va_end(args_);                                                                     \
	} while (0)

void log_error(const char *format, ...)
{
	last_said = true;
	SAY("storprototrace: ", false, format);
}

void log_warn(const char *format, ...)
{
	last_said = !log_quiet;
	if (last_said)
		SAY("storprototrace: ", false, format);
}

void log_note(const char *format, ...)
{
	last_said = !log_quiet;
	if (last_said)
		SAY("storprototrace: ", false, format);
}

void log_detail(const char *format, ...)
{
	last_said = log_verbose(1);
	/* libbpf's messages, the verifier's among them, have many lines. */
	if (last_said)
		SAY("storprototrace: ", true, format);
}

void log_progress(const char *format, ...)
{
	last_said = log_verbose(1) || (!log_quiet && isatty(STDERR_FILENO));
	if (last_said)
		SAY("storprototrace: ", false, format);
}

void log_hint(const char *format, ...)
{
	if (last_said)
		SAY("hint: ", false, format);
}
