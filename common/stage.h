/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The words a command's time and fate are told in; shared by the BPF and the user side. */
#ifndef STORPROTOTRACE_STAGE_H
#define STORPROTOTRACE_STAGE_H

/*
 * A command's time, cut without gaps: the first nine add up to STAGE_TOTAL, which is computed
 * on its own (end - start) so that the sum can be checked.
 */
enum iscsi_stage {
	STAGE_BLOCK,    /* request exists -> first attempt: block layer, scheduler, queue limits */
	STAGE_BUSY,     /* first attempt -> last accepted attempt: closed window, no task, recovery */
	STAGE_QUEUE,    /* accepted -> dequeued by the transmit worker */
	STAGE_SEND,     /* dequeued -> header, immediate and unsolicited data given to the socket */
	STAGE_R2T,      /* waiting for the target's permission to send (writes) */
	STAGE_DATA_OUT, /* R2T accepted -> its data given to the socket */
	STAGE_TARGET,   /* end of last send -> first response header: network and target */
	STAGE_DATA_IN,  /* first response header -> iscsi_complete_task */
	STAGE_DONE,     /* iscsi_complete_task -> iscsi_tcp_cleanup_task, just before scsi_done */
	STAGE_TOTAL,
	STAGE_COUNT,
};

/* The three phases the published manual names; each is a run of stages. */
enum iscsi_phase {
	PHASE_WAITING,  /* block + busy + queue */
	PHASE_SENDING,  /* send + r2t + data_out */
	PHASE_COMPLETE, /* target + data_in + done */
	PHASE_COUNT,
};

/* What a command does, by SCSI opcode: READ/WRITE 6 to 32, everything else is other. */
enum iscsi_op {
	OP_READ,
	OP_WRITE,
	OP_OTHER,
	OP_COUNT,
};

/* Size classes of one command's data length in bytes; used only when grouping by size. */
enum iscsi_size_class {
	SIZE_ALL,  /* not split by size */
	SIZE_4K,   /* <= 4 KiB */
	SIZE_16K,  /* <= 16 KiB */
	SIZE_64K,  /* <= 64 KiB */
	SIZE_256K, /* <= 256 KiB */
	SIZE_1M,   /* <= 1 MiB */
	SIZE_MORE,
	SIZE_COUNT,
};

/* Every way a sample can be lost or degraded; each has its own counter. */
enum iscsi_loss {
	/* no room in the in-flight table when a command started; it is lost, as LOSS_NO_START */
	LOSS_MAP_FULL,
	LOSS_KEYS_FULL,     /* no room for the command's key when it ended: a lost command */
	LOSS_RING_FULL,     /* a command that failed did not fit the ring buffer: lost */
	LOSS_NO_START,      /* a command ended whose start was not seen: a lost command */
	LOSS_STALE,         /* a command whose end was not seen: a lost command */
	LOSS_MISSING_STAMP, /* a good command without one of its stamps; its neighbour has the time */
	LOSS_CLAMPED,       /* a stamp later than its successor, pulled back to it */
	LOSS_MISMATCH,      /* a command whose stages did not add up to its total */
	LOSS_TORN,          /* a reading whose counters did not agree with each other */
	/* hook hits the kernel skipped, as far as it counts them: of kprobes not all before 6.7 */
	LOSS_PROBE_MISSES,
	LOSS_EVENT_FULL, /* an event had no room and is not told; a command's sums are right */
	LOSS_COUNT,
};

#endif
