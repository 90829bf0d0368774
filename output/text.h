/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text from elsewhere made safe to show: no control characters, a known width, shortened visibly.
 */
#ifndef STORPROTOTRACE_TEXT_H
#define STORPROTOTRACE_TEXT_H

#include <locale.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The user's character set (LC_CTYPE of the environment) with numbers as in C; "C" where the
 * environment's is not installed. For uselocale(3) while text is made and printed, whatever the
 * program did about its locale. (locale_t)0: out of memory. Release with freelocale().
 */
locale_t text_locale(void);

/*
 * Copies what is printable in this thread's locale and occupies columns; every other byte, and
 * blanks, become "\xHH". `out_size` of 4 * strlen(in) + 1 is always enough; less cuts the end off.
 */
void text_safe(const char *in, char *out, size_t out_size);

/* Columns a safe text takes. */
size_t text_width(const char *text);

/*
 * Shortens a safe text in place to `width` columns: its middle becomes "…" (".." where the locale
 * is not UTF-8), more of the end stays than of the beginning. Under 8 columns: as for 8. Needs room
 * for two bytes more than the text has.
 */
void text_shorten(char *text, size_t width);

/* Cuts a safe text, blanks allowed in it, to `width` columns. */
void text_cut(char *text, size_t width);

/* Room for what text_valid() makes of a text of that length. */
#define TEXT_VALID_SIZE(length) (4 * (length) + 1)

/*
 * Copies as UTF-8, for machines: each byte that is none, and control characters other than newline
 * (no iSCSI name has them), become the four characters "\xHH".
 */
void text_valid(const char *in, char *out);

/* Bytes of the well-formed UTF-8 character (RFC 3629) at s; 0 when there is none. */
size_t text_utf8_length(const char *s);

#ifdef __cplusplus
}
#endif

#endif
