/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The live screen as lines: what is on it, not how it gets there. */
#ifndef STORPROTOTRACE_TOP_PAGE_H
#define STORPROTOTRACE_TOP_PAGE_H

#include "output/page.h"
#include "output/top_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All there is to show. */
struct top_view {
	struct top_state *state;       /* told what fits */
	const struct reading *reading; /* number 0: there is none yet */
	const struct records *records; /* of it, in order */
	const struct columns *columns;
	size_t *widths;		/* of the columns; see grid_fit() */
	size_t first;		/* the first row shown, as drawn last */
	const uint64_t *losses; /* LOSS_COUNT, since the start */
	char *const *said;	/* events and messages as lines, the latest last */
	size_t said_count;
	bool over; /* the recording has ended */
};

/* Makes the page, which has been begun, of the view. Names are made safe in this thread's locale.
 * 0 or -ENOMEM. */
int top_page_draw(struct top_view *view, struct page *page);

/* Parts of it: an opened row; the keys. 0 or -errno. */
int top_page_opened(struct top_view *view, struct page *page);
void top_page_help(struct page *page);

/* The last lines of what was said, at most so many. */
void top_page_said(const struct top_view *view, struct page *page, size_t lines);

#ifdef __cplusplus
}
#endif

#endif
