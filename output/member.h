/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The machine format's members as a flat list: what is stages.target.sum_ns there is target_sum_ns
 * here. */
#ifndef STORPROTOTRACE_MEMBER_H
#define STORPROTOTRACE_MEMBER_H

#include "common/options.h"
#include "output/field.h"
#include "output/stamp.h"

#ifdef __cplusplus
extern "C" {
#endif

struct member_value {
	bool known;
	const char *text; /* as named; NULL: it is a count */
	uint64_t count;
	char stamp[STAMP_SIZE]; /* what `text` may point to */
};

/* A member and how it is taken from a record; the rest is what its getter goes by. */
struct member {
	char name[48];
	void (*get)(const struct member *member, const struct reading *r,
		    const struct iscsi_stats *stats, struct member_value *value);
	const struct field *field;
	uint32_t index; /* of a stage, a phase, an operation or a loss */
	double percent;
};

/* Keys, counts and losses; per stage its sums and percentiles. */
#define MEMBERS_MAX (96 + STAGE_COUNT * (3 + 4 + PERCENTILES_MAX))

struct member_list {
	struct member member[MEMBERS_MAX];
	size_t count;
};

/* All members a record has with these options (grouping, percentiles), whatever is chosen. */
void members_init(struct member_list *members, const struct options *options);

/* The member of that name, of which `name` has the first `length` bytes; NULL: there is none. */
const struct member *members_find(const struct member_list *members, const char *name,
				  size_t length);

#ifdef __cplusplus
}
#endif

#endif
