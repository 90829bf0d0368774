/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What each event in a command's life writes down: the bodies of the hooks. */
#ifndef STORPROTOTRACE_EVENTS_BPF_H
#define STORPROTOTRACE_EVENTS_BPF_H

#include "iscsi_bpf/detail.bpf.h"
#include "iscsi_bpf/nops.bpf.h"

/* READ and WRITE of 6 to 16 bytes by opcode, of 32 bytes by service action (SBC-4, SPC-5). */
static __always_inline __u8 sc_op(const struct scsi_cmnd *sc, __u8 opcode, bool direct)
{
	switch (opcode) {
	case 0x08: /* READ(6), (10), (12), (16) */
	case 0x28:
	case 0xa8:
	case 0x88:
		return OP_READ;
	case 0x0a: /* WRITE(6), (10), (12), (16) */
	case 0x2a:
	case 0xaa:
	case 0x8a:
		return OP_WRITE;
	case 0x7f: /* variable length: service action in bytes 8-9 */
		if (sc_cdb(sc, 8, direct) != 0)
			return OP_OTHER;
		if (sc_cdb(sc, 9, direct) == 0x09)
			return OP_READ;
		return sc_cdb(sc, 9, direct) == 0x0b ? OP_WRITE : OP_OTHER;
	default:
		return OP_OTHER;
	}
}

static __always_inline __u8 size_class(__u32 length)
{
	if (!cfg_size_classes)
		return SIZE_ALL;
	if (length <= 4096)
		return SIZE_4K;
	if (length <= 16384)
		return SIZE_16K;
	if (length <= 65536)
		return SIZE_64K;
	if (length <= 262144)
		return SIZE_256K;
	return length <= 1048576 ? SIZE_1M : SIZE_MORE;
}

/* Does the user want this command, as far as can be told here? */
static __always_inline bool wanted(__u32 sid, __u64 lun, __u8 op)
{
	if (cfg_ops && !(cfg_ops & (1U << op)))
		return false;
	if (filter_sids && bpf_map_lookup_elem(&unwanted, &sid))
		return false;
	if (!cfg_lun_count)
		return true;
	for (__u32 i = 0; i < FILTER_LUNS_MAX; i++)
		if (i < cfg_lun_count && cfg_luns[i] == lun)
			return true;
	return false;
}

/* A command ended badly and its scsi_cmnd is used for another: the reader adds it up. */
static __always_inline void leave_to_reader(const struct inflight *c)
{
	__u64 size = cfg_detail ? sizeof(struct command) : sizeof(*c);

	if (bpf_ringbuf_output(&ended, (void *)c, size, ring_wake(&ended)))
		count_loss(LOSS_RING_FULL);
}

/* The entry of a command is taken for another: it ended badly, or its end was not seen. */
static __always_inline void retire(const struct inflight *old)
{
	if (old->state == COMMAND_FAILED || old->state <= COMMAND_REFUSED)
		leave_to_reader(old);
	else
		count_loss(LOSS_STALE);
}

/* The same command once more: what it has been through stays, stamps start again. */
static __always_inline void carry_over(struct inflight *c, const struct inflight *old)
{
	c->start_ns = old->start_ns;
	c->first_ns = old->first_ns;
	c->attempts = old->attempts + 1;
	c->pdus = old->pdus;
	c->refused = old->refused;
	c->refused_no_task = old->refused_no_task;
	c->refused_other = old->refused_other;
	c->aborted = old->aborted;
	c->disrupted = old->disrupted;
	/* Neither refused nor dequeued: iscsi_queuecommand ended it itself, without a task. */
	c->no_task = old->no_task + (old->state == COMMAND_SUBMITTED);
	c->retries = old->retries + (old->state >= COMMAND_DEQUEUED);
}

/*
 * There is an entry for this scsi_cmnd already. The same command again (its request's times are
 * the same): a further attempt, or error handling that borrows the scsi_cmnd (another opcode).
 * Another command: the entry is left over from one that ended badly, or whose end was not seen.
 */
static __noinline int submit_again(struct inflight *old, struct inflight *c,
				   const struct scsi_cmnd *sc)
{
	bool same_request = old->start_ns == c->start_ns && old->jiffies == c->jiffies;

	if (same_request && old->opcode != c->opcode) {
		old->recovering = 1;
		return 0;
	}
	/* The CDB counts where the kernel keeps no start time: a jiffy is long. */
	if (same_request && old->cdb == c->cdb) {
		carry_over(c, old);
	} else {
		retire(old);
	}
	*old = *c;
	detail_submit(old, sc);
	return 0;
}

/*
 * A command that nobody wants. Does its scsi_cmnd still stand for one that was wanted? Then error
 * handling borrows it, or that one is over: its entry must not see this one's events.
 */
static __noinline int submit_unwanted(const struct scsi_cmnd *sc)
{
	struct inflight *old = inflight_find(sc);

	if (!old)
		return 0;
	if (old->start_ns == request_start(sc_request(sc)) &&
	    old->jiffies == sc_jiffies(sc, false)) {
		old->recovering = 1;
		return 0;
	}
	retire(old);
	inflight_release(sc);
	return 0;
}

/* iscsi_queuecommand: an attempt begins. `by_claim`: how a place is taken, see slot_take(). */
static __always_inline int on_submit(const struct scsi_cmnd *sc, const bool direct,
				     const bool by_claim)
{
	const struct scsi_device *sdev = sc_device(sc, direct);
	struct inflight c = {};
	struct inflight *place;

	c.sid = sdev_sid(sdev, direct);
	c.lun = sdev_lun(sdev, direct);
	c.opcode = sc_cdb(sc, 0, direct);
	c.op = sc_op(sc, c.opcode, direct);
	if (!wanted(c.sid, c.lun, c.op))
		/* By session alone there is no such mix: a scsi_cmnd belongs to one. */
		return cfg_ops || cfg_lun_count ? submit_unwanted(sc) : 0;
	c.length = sc_length(sc, direct);
	c.size_class = size_class(c.length);
	c.jiffies = sc_jiffies(sc, direct);
	c.cdb = sc_cdb_middle(sc, direct);
	c.start_ns = request_start(sc_request(sc));
	c.first_ns = c.accepted_ns = bpf_ktime_get_ns();
	c.attempts = 1;
	place = inflight_find(sc);
	if (place)
		return submit_again(place, &c, sc);
	place = inflight_claim(sc, by_claim);
	if (!place) {
		count_loss(LOSS_MAP_FULL);
		return 0;
	}
	*place = c;
	detail_submit(place, sc);
	return 0;
}

/* iscsi_tcp_task_init: the transmit worker took the task. */
static __always_inline int on_dequeue(const struct iscsi_task *task, const bool direct)
{
	const struct scsi_cmnd *sc = task_sc(task, direct);
	struct inflight *c;

	if (!sc)
		return nop_begin(task);
	c = inflight_find(sc);
	if (!c)
		return 0;
	c->pdus++;
	if (c->recovering)
		return 0;
	c->cid = conn_id(task_conn(task, direct), direct);
	c->state = COMMAND_DEQUEUED;
	c->dequeued_ns = bpf_ktime_get_ns();
	/* Where R2Ts are seen to come; reads have no use for them. */
	if (c->op != OP_READ && cfg_hooks & 1 << HOOK_RESPONSE)
		c->r2t_due = task_needs_r2t(task, c->length, direct);
	detail_dequeue(c, task, direct);
	return 0;
}

/*
 * iscsi_tcp_task_xmit returned 0: all that could be sent was given to the socket. The first time
 * that is header, immediate and unsolicited data; later, the data of R2Ts. A run that found
 * nothing to send (its R2T was answered within an earlier call) changes nothing, and one whose
 * R2T arrived when it was already on its way out leaves it to the next.
 */
static __always_inline int on_sent(const struct iscsi_task *task, int result, const bool direct)
{
	const struct scsi_cmnd *sc = task_sc(task, direct);
	struct inflight *c;
	__u64 now, at;
	__u32 r2ts;

	if (result || !sc)
		return 0;
	c = inflight_find(sc);
	if (!c || c->recovering)
		return 0;
	now = bpf_ktime_get_ns();
	r2ts = *(volatile __u32 *)&c->r2ts;
	if (!c->sent_first_ns)
		c->sent_first_ns = c->sent_last_ns = now;
	else if (r2ts == c->r2ts_answered)
		return 0;
	if (r2ts == c->r2ts_answered || task_owes_data(task, direct))
		return 0;
	/* The R2T may have come while the send before it was still going on. */
	at = c->r2t_at_ns < c->sent_last_ns ? c->sent_last_ns : c->r2t_at_ns;
	if (at > now)
		at = now;
	c->r2t_ns += at - c->sent_last_ns;
	c->data_out_ns += now - at;
	c->sent_last_ns = now;
	c->r2ts_answered = r2ts;
	return 0;
}

/* iscsi_requeue_task: an R2T was accepted. */
static __always_inline int on_r2t(const struct iscsi_task *task, const bool direct)
{
	const struct scsi_cmnd *sc = task_sc(task, direct);
	struct inflight *c = sc ? inflight_find(sc) : NULL;

	if (!c || c->recovering)
		return 0;
	if (c->r2ts == *(volatile __u32 *)&c->r2ts_answered)
		c->r2t_at_ns = bpf_ktime_get_ns();
	c->r2ts++;
	return 0;
}

/*
 * iscsi_tcp_hdr_recv_done: a header was received; with digests it runs again, the first counts. An
 * R2T is accepted later (see on_r2t); that of the last data says that there is no more to ask for.
 */
static __always_inline int on_response(const struct iscsi_tcp_conn *tcp_conn, const bool direct)
{
	__u8 opcode = tcp_conn_opcode(tcp_conn, direct);
	const struct scsi_cmnd *sc;
	struct inflight *c;

	if (opcode != OPCODE_SCSI_DATA_IN && opcode != OPCODE_SCSI_RSP && opcode != OPCODE_R2T)
		return opcode == OPCODE_NOP_IN ? nop_answered(tcp_conn) : 0;
	sc = task_sc(tcp_conn_task(tcp_conn, direct), false);
	if (!sc)
		return 0;
	c = inflight_find(sc);
	if (!c || c->recovering)
		return 0;
	if (opcode == OPCODE_R2T)
		c->r2t_due = c->r2t_due && tcp_conn_r2t_end(tcp_conn, direct) < c->length;
	else if (!c->response_ns)
		c->response_ns = bpf_ktime_get_ns();
	return 0;
}

/* iscsi_complete_task: the first call for a live task counts; a second one is ignored by libiscsi.
 */
static __always_inline int on_complete(const struct iscsi_task *task, const bool direct)
{
	int state = task_state(task, direct);
	const struct scsi_cmnd *sc;
	struct inflight *c;

	if (state != ISCSI_TASK_PENDING && state != ISCSI_TASK_RUNNING)
		return 0;
	sc = task_sc(task, direct);
	if (!sc)
		return nop_over(task);
	c = inflight_find(sc);
	if (c && !c->completed_ns && !c->recovering)
		c->completed_ns = bpf_ktime_get_ns();
	return 0;
}

/* The attempt ended with something else than GOOD: the command may be tried again. */
static __noinline int attempt_failed(struct inflight *c, __u32 state)
{
	__u32 host = (c->result >> 16) & 0xff;

	c->state = COMMAND_FAILED;
	if (state == ISCSI_TASK_ABRT_TMF || host == DID_ABORT || host == DID_TIME_OUT)
		c->aborted++;
	else if (state == ISCSI_TASK_ABRT_SESS_RECOV || host == DID_TRANSPORT_DISRUPTED)
		c->disrupted++;
	return 0;
}

/* A command ended that has no entry: was its start missed, or is it filtered out? */
static __noinline int end_without_start(const struct scsi_cmnd *sc)
{
	const struct scsi_device *sdev = sc_device(sc, false);
	__u8 op = sc_op(sc, sc_cdb(sc, 0, false), false);

	if (ready && wanted(sdev_sid(sdev, false), sdev_lun(sdev, false), op))
		count_loss(LOSS_NO_START);
	return 0;
}

/* iscsi_tcp_cleanup_task: the task is freed, scsi_done follows. */
static __always_inline int on_cleanup(const struct iscsi_task *task, const bool direct)
{
	const struct scsi_cmnd *sc = task_sc(task, direct);
	struct inflight *c;
	__u32 resid;

	if (!sc)
		return 0;
	c = inflight_find(sc);
	if (!c)
		return end_without_start(sc);
	if (c->recovering) {
		c->recovering = 0;
		return 0;
	}
	c->end_ns = bpf_ktime_get_ns();
	c->result = sc_result(sc, direct);
	/*
	 * It had timed out and is being aborted: this response comes too late, the SCSI layer does
	 * not look at it any more.
	 */
	if (!c->result && (sc_state(sc, direct) & SCMD_STATE_COMPLETE))
		c->result = DID_TIME_OUT << 16;
	resid = sc_resid(sc, direct);
	/* A failed command's residual is often not set: it counts no bytes. */
	c->bytes = !c->result && resid < c->length ? c->length - resid : 0;
	detail_end(c, sc);
	if (c->result)
		return attempt_failed(c, task_state(task, direct));
	command_close(c);
	inflight_release(sc);
	return 0;
}

/*
 * Why was it refused? For TCP iscsi_queuecommand has two reasons only: the target's CmdSN window is
 * closed, which it looks at first, and no task is free. The lock under which it looked is given
 * back by now, so this looks again, some microseconds later. A closed window is the reason, unless
 * another command has taken its last place just now. Else, with no task free, that is. Else one of
 * the two has opened meanwhile: the window, for of tasks there are 15 (ISCSI_MGMT_CMDS_MAX) more
 * than the SCSI layer gives commands at a time (can_queue). A session that is not logged in (any
 * more) tells nothing.
 */
static __noinline int note_reason(struct inflight *c, const struct scsi_cmnd *sc)
{
	__u64 session = sdev_session(sc_device(sc, false));

	if (session_state(session) != ISCSI_STATE_LOGGED_IN)
		c->refused_other += c->refused_other < 0xff;
	else if (session_window(session) && session_tasks_taken(session))
		c->refused_no_task += c->refused_no_task < 0xffff;
	return 0;
}

/* scsi_dispatch_cmd_error: iscsi_queuecommand refused; fires for every SCSI host. */
static __always_inline int on_refused(const struct scsi_cmnd *sc)
{
	struct inflight *c = inflight_find(sc);

	if (c && !c->recovering) {
		c->refused++;
		c->state = COMMAND_REFUSED;
		note_reason(c, sc);
	}
	return 0;
}

#endif
