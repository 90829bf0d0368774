/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A source of longer intervals: neighbouring readings of another source added up. */
#include "iscsi_bpf/merged.h"

#include <errno.h>
#include <stdlib.h>
#include "common/log.h"

struct merged {
	struct source source;
	struct source *inner;
	uint64_t interval_ns;
	struct reading next; /* read, but of the interval after this one */
	bool has_next;
	int ended; /* what read() of `inner` said last: nothing comes after it */
	bool warned;
};

/* The reading that comes next, moved to *r. 0 or what `inner` ended with. */
static int take_next(struct merged *merged, struct reading *r)
{
	if (merged->has_next) {
		*r = merged->next;
		reading_init(&merged->next);
		merged->has_next = false;
		return 0;
	}
	if (!merged->ended) {
		merged->ended = merged->inner->ops->read(merged->inner, r);
		merged->source.end = merged->inner->end;
	}
	return merged->ended;
}

/* Numbers go on within a run; one that is missing was cut off, or is of another run. */
static bool follows(const struct reading *r, const struct reading *next)
{
	return next->number == r->number + 1;
}

/* Would the interval be nearer to what was asked for without the next reading? */
static bool is_full(const struct merged *merged, const struct reading *r,
		    const struct reading *next)
{
	return r->length_ns >= merged->interval_ns ||
	       next->length_ns / 2 >= merged->interval_ns - r->length_ns;
}

static void warn_longer(struct merged *merged, const struct reading *r)
{
	if (merged->warned || r->length_ns / 3 * 2 <= merged->interval_ns)
		return;
	log_warn("the recording's intervals are longer than %.3g s: they stay as they are",
		 merged->interval_ns / 1e9);
	merged->warned = true;
}

static int merged_read(struct source *source, struct reading *r)
{
	struct merged *merged = (struct merged *)source;
	int err = take_next(merged, r);

	if (err)
		return err;
	warn_longer(merged, r);
	while (!take_next(merged, &merged->next)) {
		if (!follows(r, &merged->next) || is_full(merged, r, &merged->next)) {
			merged->has_next = true;
			return 0;
		}
		err = reading_join(r, &merged->next);
		reading_deinit(&merged->next);
		if (err) {
			log_error("replay: out of memory");
			return err;
		}
	}
	return 0;
}

static void merged_close(struct source *source)
{
	struct merged *merged = (struct merged *)source;

	merged->inner->ops->close(merged->inner);
	reading_deinit(&merged->next);
	free(merged);
}

int merged_open(struct source *inner, uint64_t interval_ns, struct source **out)
{
	static const struct source_ops ops = {.read = merged_read, .close = merged_close};
	struct merged *merged = calloc(1, sizeof(*merged));

	if (!merged) {
		inner->ops->close(inner);
		return -ENOMEM;
	}
	merged->source.ops = &ops;
	merged->inner = inner;
	merged->interval_ns = interval_ns;
	reading_init(&merged->next);
	*out = &merged->source;
	return 0;
}
