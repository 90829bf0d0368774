/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hooks onto the kernel: which way each one is attached, found out by doing. */
#ifndef STORPROTOTRACE_ATTACH_H
#define STORPROTOTRACE_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include "common/options.h"
#include "iscsi_bpf/layout.h"
#include "iscsi_bpf/wire.h"

struct bpf_link;
struct iscsi_stats_bpf;

enum attach_how {
	HOW_NONE,
	HOW_FENTRY,
	HOW_KPROBE,
	HOW_TRACEPOINT,
};

#define ATTACH_LINKS (2 * HOOK_COUNT) /* a return probe may have an entry probe beside it */

struct attach {
	struct iscsi_stats_bpf *skel;
	enum attach_how how[HOOK_COUNT];
	struct bpf_link *links[ATTACH_LINKS];
	int link_count;
	bool by_claim; /* places in flight are taken without compare-and-exchange */
};

/* Sets map sizes and configuration of an opened, not yet loaded skeleton. */
typedef int (*attach_configure_fn)(struct iscsi_stats_bpf *skel, void *arg);

/* What the user wants of it. */
struct attach_wish {
	enum attach_mode mode;
	uint32_t without; /* hooks to leave out, by enum hook_id */
	bool sessions;	  /* the hooks of sessions, too */
};

/*
 * Opens, configures, loads and attaches all hooks: fentry where the module's BTF has the function
 * and it attaches, else a kprobe, hook by hook; the wish's mode forces one of them. A hook that
 * cannot be attached in any way and is not needed is left out (HOW_NONE) with a warning, with -v
 * only when it is one of sessions. 0 or -errno, said on
 * stderr: -EOPNOTSUPP when a needed hook cannot be attached or shall be left out.
 */
int attach_open(struct attach *attach, const struct attach_wish *wish, const struct kernel_btf *btf,
		attach_configure_fn configure, void *arg);

/* Detaches all and removes what was made. An attach never opened but zeroed is fine. */
void attach_close(struct attach *attach);

/* Hook hits the kernel skipped since the start; UINT64_MAX when it does not count them. */
uint64_t attach_missed(const struct attach *attach);

/* The stages that the attached hooks can tell apart; bit per stage. */
uint32_t attach_stages_known(const struct attach *attach);

/* "fentry", "kprobe", ... */
const char *attach_how_name(enum attach_how how);

#endif
