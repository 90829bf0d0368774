/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A turn of a session's life as the BPF side tells it. */
#ifndef STORPROTOTRACE_TURN_H
#define STORPROTOTRACE_TURN_H

#include <linux/types.h>
#include "common/session_turn.h"

/* What is not known or does not apply in a struct turn has all bits set. */
#define TURN_NONE_32 (~0U)
#define TURN_NONE    (~0ULL)

/* A turn of a session's life, as it comes through the ring. */
struct turn {
	__u64 time_ns;     /* bpf_ktime_get_ns() */
	__u64 duration_ns; /* see enum session_turn */
	__u64 lun;
	__u32 sid;
	__u32 cid;
	__u32 turn;        /* enum session_turn */
	__u32 code;        /* number of the error or of the reason */
	__u32 outcome;     /* enum event_outcome */
	__u32 pad;
};

#ifndef __cplusplus
_Static_assert(sizeof(struct turn) == 3 * 8 + 6 * 4, "turn has no hidden padding");
#endif

#endif
