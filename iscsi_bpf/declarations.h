/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is known of structures that a kernel's BTF does not describe: which members, in which order.
 */
#ifndef STORPROTOTRACE_DECLARATIONS_H
#define STORPROTOTRACE_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Stretches of kernels over which no structure declared here changed its members. What changes
 * within one are the sizes of embedded types, and these the kernel's BTF gives. Bits of a set.
 */
enum era {
	ERA_5_10 = 1 << 0, /* 5.10 as its stable releases have it */
	ERA_6_1 = 1 << 1,  /* 6.1 and 6.6 */
	ERA_6_12 = 1 << 2,
	ERA_6_18 = 1 << 3,
	ERA_7_2 = 1 << 4, /* 7.2 and later */
};

#define ERA_COUNT 5

/* How a kernel of an era is recognised, as far as it can be by looking at symbols. */
struct era_mark {
	enum era era;
	const char *name;
	const char *has;   /* a function that it has, and ... */
	const char *lacks; /* ... one that it has not; NULL: none */
};

/* Newest first. */
extern const struct era_mark era_marks[ERA_COUNT];

/*
 * A structure: "<type> <name>;" or "<type> <name>[<count>];" for each member, in order, up to the
 * last one that is wanted. A type is one of int, bool, u8, u16, u32, u64, long, ptr (any pointer),
 * a structure declared here, or one that the kernel's own BTF has, by struct or typedef name.
 */
struct declaration {
	const char *structure;
	uint32_t eras; /* set of enum era it holds for */
	const char *members;
};

/* NULL: there is none. */
const struct declaration *declaration_find(const char *structure, enum era era);

#ifdef __cplusplus
}
#endif

#endif
