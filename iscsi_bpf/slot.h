/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of commands in flight, shared by both sides: a place, the command in it, its detail. */
#ifndef STORPROTOTRACE_SLOT_H
#define STORPROTOTRACE_SLOT_H

#include "iscsi_bpf/scsi.h"
#include "iscsi_bpf/wire.h"

/*
 * What only events of single commands need; written when cfg_detail says so, and else not even
 * cleared. It follows its command everywhere: see inflight_detail().
 */
struct detail {
	__u8 cdb[CDB_BYTES];
	/* of the last attempt; all ones: it did not get so far */
	__u32 itt;          /* bytes as on the wire */
	__u32 cmdsn;        /* the same */
	__u32 cpu_submit;   /* of iscsi_queuecommand */
	__u32 cpu_transmit; /* of the transmit worker when it took the task */
	__u32 cpu_complete; /* of iscsi_tcp_cleanup_task */
	__u32 sense;        /* sense_code() */
	__u32 generation;   /* of the sums that a good command was added to */
	__u32 pad;
};

/* A command as the rings carry it. */
struct command {
	struct inflight inflight;
	struct detail detail; /* with cfg_detail only */
};

/* The detail of a command that lies in a struct slot or a struct command. */
static inline struct detail *inflight_detail(const struct inflight *c)
{
	return (struct detail *)(c + 1);
}

/*
 * A place in the table of commands in flight. A command lies at the place its scsi_cmnd's address
 * hashes to (its home) or, when that is taken, at one of SLOT_PROBES - 1 further ones.
 */
struct slot {
	__u64 sc;        /* struct scsi_cmnd *; 0: free. Taken by compare-and-exchange */
	__u32 displaced; /* commands whose home this is and which lie elsewhere */
	__u32 pad;
	struct inflight command;
	struct detail detail;
};

#define SLOT_PROBES 16
/* Places per command that the user wants room for: so few are displaced, none finds no place. */
#define SLOTS_PER_COMMAND 2

#ifndef __cplusplus
_Static_assert(sizeof(struct detail) == CDB_BYTES + 8 * 4, "detail has no hidden padding");
_Static_assert(sizeof(struct command) == sizeof(struct inflight) + sizeof(struct detail), "nor this");
_Static_assert(sizeof(struct slot) == 16 + sizeof(struct command), "nor a place");
#endif

#endif
