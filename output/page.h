/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A screenful of lines with what they are; for the live screen. */
#ifndef STORPROTOTRACE_PAGE_H
#define STORPROTOTRACE_PAGE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum page_style {
	PAGE_PLAIN,
	PAGE_TITLE,
	PAGE_HEADER,
	PAGE_CURSOR,
	PAGE_LOSS,
	PAGE_EVENT,
	PAGE_HINT,
	PAGE_STYLE_COUNT,
};

struct page_line {
	char *text; /* safe, at most `columns` of the page wide; NULL: out of memory, empty */
	enum page_style style;
	size_t mark, mark_width; /* columns that stand out in it; 0: none */
};

#define PAGE_ROWS_MAX 1000

/* Owns its texts. */
struct page {
	size_t rows, columns; /* room there is */
	size_t count;
	struct page_line lines[PAGE_ROWS_MAX];
};

/* Empties it and gives it that room. A page never used is all zero. */
void page_begin(struct page *page, size_t rows, size_t columns);

/* Appends a line, cut to the columns there are; none where there is no row left. printf-like. */
void page_add(struct page *page, enum page_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Lines that there is still room for. */
size_t page_room(const struct page *page);

/* Appends empty lines until there is room for only so many. */
void page_fill(struct page *page, size_t room);

void page_deinit(struct page *page);

#ifdef __cplusplus
}
#endif

#endif
