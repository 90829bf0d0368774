/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What each hook is for: its name for users, and what is lost without it. */
#ifndef STORPROTOTRACE_HOOK_INFO_H
#define STORPROTOTRACE_HOOK_INFO_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hook_info {
	const char *name;
	bool needed;	  /* without it nothing can be told */
	uint32_t stages;  /* set of enum iscsi_stage that cannot be told apart without it */
	const char *lost; /* the same in words, and what else */
};

/* In the order of enum hook_id. */
#define HOOK_INFO_COUNT 19
extern const struct hook_info hook_infos[HOOK_INFO_COUNT];

/* -ENOENT: there is none of that name. */
int hook_info_find(const char *name);

/* The stages that can be told apart without the hooks of a set; bit per stage. */
uint32_t hook_stages_known(uint32_t missing);

#ifdef __cplusplus
}
#endif

#endif
