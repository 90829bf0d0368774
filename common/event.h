/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events: what happened once - a command on its own, a turn in a session's life. */
#ifndef STORPROTOTRACE_EVENT_H
#define STORPROTOTRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "common/session_turn.h"
#include "common/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

enum event_type {
	EVENT_COMMAND, /* a command has ended */
	EVENT_STUCK,   /* a command is in flight for long */
	EVENT_SESSION, /* something happened to a session */
	EVENT_TYPE_COUNT,
};

/* States of a session: /sys/class/iscsi_session/sessionN/state. */
enum iscsi_session_state {
	SESSION_LOGGED_IN,
	SESSION_FAILED, /* its connection is being recovered */
	SESSION_FREE,	/* it was not recovered in time, or is being ended */
	SESSION_STATE_COUNT,
};

/* "Not known" or "does not apply" in any number of an event. */
#define EVENT_NONE_32 UINT32_MAX
#define EVENT_NONE    UINT64_MAX

/*
 * Numbers only, so that one table (event_members) writes and reads all of them. Which apply to
 * which type is said there; the others are EVENT_NONE.
 */
struct event {
	uint32_t type;	  /* enum event_type */
	uint32_t sid;	  /* session id */
	uint32_t cid;	  /* connection id */
	uint32_t op;	  /* enum iscsi_op */
	uint64_t time_ns; /* when, CLOCK_REALTIME: a command's end, a stuck command's sighting */
	uint64_t lun;	  /* as Linux shows it; EVENT_NONE: of the whole session */

	/* session */
	uint32_t turn;	      /* enum session_turn */
	uint32_t code;	      /* number of the error or of the reason */
	uint32_t outcome;     /* enum event_outcome */
	uint64_t duration_ns; /* what it took */

	/* command, stuck */
	uint32_t opcode;     /* first byte of the CDB */
	uint32_t blocks;     /* transfer length in the CDB, in logical blocks */
	uint64_t lba;	     /* logical block address in the CDB */
	uint32_t length;     /* data length in bytes */
	uint32_t bytes;	     /* transferred: length - residual */
	uint32_t result;     /* scsi_cmnd.result: host byte in bits 16-23, SCSI status in 0-7 */
	uint32_t sense;	     /* sense key << 16 | ASC << 8 | ASCQ (SPC-5 4.4) */
	uint32_t attempts;   /* iscsi_queuecommand calls */
	uint32_t refused;    /* of these, refused */
	uint32_t pdus;	     /* of these, dequeued for sending */
	uint32_t r2ts;	     /* R2Ts accepted */
	uint32_t itt;	     /* Initiator Task Tag on the wire, big-endian reading; last attempt */
	uint32_t cmdsn;	     /* CmdSN of the last attempt */
	uint32_t cpu_submit; /* CPU of the last iscsi_queuecommand */
	uint32_t cpu_transmit;
	uint32_t cpu_complete;
	uint32_t stage; /* enum iscsi_stage: stuck - the one open now; command - the longest */
	uint32_t session_state;		/* stuck: enum iscsi_session_state */
	uint32_t service_action;	/* of an opcode that several commands share: which */
	uint64_t age_ns;		/* stuck: since its start */
	uint64_t stage_ns[STAGE_COUNT]; /* command; block is EVENT_NONE when not known */
};

/* A number of struct event. */
struct event_member {
	const char *name; /* in recordings and in the machine format */
	uint32_t types;	  /* bit per enum event_type it applies to */
	bool wide;	  /* uint64_t, else uint32_t */
	size_t offset;	  /* in struct event */
};

/* All but type and stage_ns. */
extern const struct event_member event_members[];
extern const size_t event_member_count;

/* The member's number; false: not known. */
bool event_get(const struct event *event, const struct event_member *member, uint64_t *out);

void event_set(struct event *event, const struct event_member *member, uint64_t value);

/* Everything not known. */
void event_init(struct event *event, enum event_type type);

/* "command", "stuck", "session"; NULL for anything else. The other names likewise. */
const char *event_type_name(uint32_t type);
const char *session_turn_name(uint32_t turn);
const char *event_outcome_name(uint32_t outcome);
const char *session_state_name(uint32_t state); /* as the kernel writes it: "LOGGED_IN", ... */

/*
 * The kernel's name of a turn's code without its prefix, "TCP_CONN_CLOSE" of a connection error
 * 1020; NULL: the number has none that is known.
 */
const char *session_code_name(uint32_t turn, uint32_t code);

#ifdef __cplusplus
}
#endif

#endif
