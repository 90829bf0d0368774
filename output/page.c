/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A screenful of lines. */
#define _GNU_SOURCE /* vasprintf */
#include "output/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "output/text.h"

void page_begin(struct page *page, size_t rows, size_t columns)
{
	page_deinit(page);
	page->rows = rows < PAGE_ROWS_MAX ? rows : PAGE_ROWS_MAX;
	page->columns = columns;
}

void page_add(struct page *page, enum page_style style, const char *format, ...)
{
	struct page_line *line = &page->lines[page->count];
	va_list args;

	if (page_room(page) == 0)
		return;
	*line = (struct page_line){.style = style};
	va_start(args, format);
	if (vasprintf(&line->text, format, args) < 0)
		line->text = NULL;
	va_end(args);
	if (line->text)
		text_cut(line->text, page->columns);
	page->count++;
}

size_t page_room(const struct page *page)
{
	return page->rows - page->count;
}

void page_fill(struct page *page, size_t room)
{
	while (page_room(page) > room)
		page_add(page, PAGE_PLAIN, "%s", "");
}

void page_deinit(struct page *page)
{
	for (size_t i = 0; i < page->count; i++)
		free(page->lines[i].text);
	page->count = 0;
}
