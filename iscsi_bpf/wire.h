/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the BPF side and its loader share besides the sums: configuration and a command in flight. */
#ifndef STORPROTOTRACE_WIRE_H
#define STORPROTOTRACE_WIRE_H

#include <linux/types.h>
#include "common/stage.h"
#include "iscsi_bpf/hook_id.h"
#include "iscsi_bpf/kernel_layout.h"

enum command_state {
	COMMAND_SUBMITTED, /* handed to iscsi_queuecommand */
	COMMAND_REFUSED,   /* ... which refused the last attempt */
	COMMAND_DEQUEUED,  /* being worked on; the stamps say how far */
	COMMAND_FAILED,    /* the last attempt ended badly: retried, or ended for good */
};

/*
 * A command from its first attempt to its end, found by its scsi_cmnd. Times are
 * bpf_ktime_get_ns(); 0: has not happened. Stamps after accepted_ns belong to the last attempt.
 */
struct inflight {
	__u64 start_ns;      /* request->start_time_ns; 0: unknown */
	__u64 first_ns;      /* first attempt */
	__u64 accepted_ns;   /* last attempt */
	__u64 dequeued_ns;   /* taken by the transmit worker */
	__u64 sent_first_ns; /* first send had given all it could to the socket */
	__u64 sent_last_ns;  /* the same of the last send so far */
	__u64 response_ns;   /* first response header */
	__u64 completed_ns;  /* iscsi_complete_task */
	__u64 end_ns;        /* iscsi_tcp_cleanup_task */
	__u64 r2t_at_ns;     /* the oldest R2T not yet answered was accepted */
	__u64 r2t_ns;        /* r2t_ns + data_out_ns = sent_last_ns - sent_first_ns */
	__u64 data_out_ns;
	__u64 lun;
	__u64 jiffies;       /* scsi_cmnd.jiffies_at_alloc: tells commands on one scsi_cmnd apart */
	__u64 cdb;           /* bytes 2-9 of the CDB (LBA, length): the same */
	__u32 sid;
	__u32 cid;
	__u32 length;        /* data length in bytes */
	__u32 bytes;         /* transferred, once ended */
	__u32 result;        /* scsi_cmnd.result, once ended */
	__u32 r2ts;          /* R2Ts accepted; written by the receive path only */
	__u32 r2ts_answered; /* of these; written by the transmit worker only */
	__u32 attempts;
	__u32 refused;
	__u16 pdus;          /* attempts dequeued */
	__u16 no_task;
	__u16 retries;
	__u16 aborted;
	__u16 disrupted;
	__u16 refused_no_task; /* of `refused`, for want of a task; stays at its largest value */
	__u8 opcode;         /* first byte of the CDB */
	__u8 op;             /* enum iscsi_op */
	__u8 size_class;     /* enum iscsi_size_class */
	__u8 state;          /* enum command_state */
	__u8 recovering;     /* error handling borrowed the scsi_cmnd for a command of its own */
	__u8 refused_other;  /* of `refused`, for no reason known; stays at its largest value */
	__u8 r2t_due;        /* there is data left for which no R2T has come */
	__u8 pad;
};

#ifndef __cplusplus
_Static_assert(sizeof(struct inflight) == 15 * 8 + 9 * 4 + 6 * 2 + 8, "inflight has no hidden padding");
#endif

/* LUNs that the BPF side filters by; more than these are filtered by the user side alone. */
#define FILTER_LUNS_MAX 8

/*
 * What look_at_session() found at a link of the kernel's list of sessions. All but `next` is 0
 * where no session of libiscsi's is around the link.
 */
struct session_seen {
	__u64 next;     /* the next link; 0: cannot be read */
	__u32 sid;
	__u32 cmds_max; /* iscsi_session.cmds_max: tasks; 0: no such session */
	__u32 window;   /* free places in the CmdSN window: see session_window() */
	__u32 open;     /* logged in: `window` means something */
};

/* A NOP-Out of this host that the target has not answered yet; found by its iscsi_conn. */
struct nop_open {
	__u64 sent_ns; /* taken by the transmit worker */
	__u32 itt;     /* as in the header */
	__u32 sid;
	__u32 cid;
	__u32 pad;
};

/* One that ended; a record of the ring `nops_ended`. */
struct nop_end {
	__u64 ns; /* its round trip; 0: it was lost */
	__u32 sid;
	__u32 cid;
};

/* What sweep() says of a command whose end was not seen. */
enum sweep_verdict {
	SWEEP_ALIVE,   /* its request is still the same and in use */
	SWEEP_WAITING, /* the same, and the block layer has it back to try it again */
	SWEEP_GONE,    /* the request was freed or reused, or it was forced: the entry is free */
	SWEEP_UNKNOWN, /* no such entry (any more) */
};

#endif
