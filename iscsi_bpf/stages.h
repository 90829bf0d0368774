/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a command's stamps to its stages: the arithmetic both sides use. */
#ifndef STORPROTOTRACE_STAGES_H
#define STORPROTOTRACE_STAGES_H

#include "common/sums.h"
#include "iscsi_bpf/wire.h"

#define stages_inline static inline __attribute__((always_inline))

/* In BPF a loop over stages costs more than its body: unrolled, offsets are constants. */
#ifdef __bpf__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL
#endif

/* A command cut into stages. */
struct stage_times {
	__u64 ns[STAGE_COUNT];
	__u32 clamped; /* stamps pulled back to their successor */
};

/*
 * The time of an event: its stamp; that of its successor when it never came (the stage that was
 * open carries the time) or came later than that, which is counted.
 */
stages_inline __u64 stage_stamp(__u64 stamp, __u64 next, __u32 *clamped)
{
	if (stamp <= next)
		return stamp ? stamp : next;
	(*clamped)++;
	return next;
}

/* Cuts an ended command (end_ns is set). Stages are in ns; total is computed on its own. */
stages_inline void stages_cut(const struct inflight *c, struct stage_times *t)
{
	__u64 end = c->end_ns, completed, response, last, sent, dequeued, accepted, first, start;
	__u64 excess;

	t->clamped = 0;
	completed = stage_stamp(c->completed_ns, end, &t->clamped);
	response = stage_stamp(c->response_ns, completed, &t->clamped);
	/*
	 * A response proves that the send is over, although its call may return later: the worker
	 * receives while it sends, and the target is quick. That is no disorder.
	 */
	last = c->sent_last_ns && c->sent_last_ns < response ? c->sent_last_ns : response;
	sent = c->sent_first_ns && c->sent_first_ns < last ? c->sent_first_ns : last;
	dequeued = stage_stamp(c->dequeued_ns, sent, &t->clamped);
	accepted = stage_stamp(c->accepted_ns, dequeued, &t->clamped);
	first = stage_stamp(c->first_ns, accepted, &t->clamped);
	start = stage_stamp(c->start_ns, first, &t->clamped);

	t->ns[STAGE_BLOCK] = first - start;
	t->ns[STAGE_BUSY] = accepted - first;
	t->ns[STAGE_QUEUE] = dequeued - accepted;
	t->ns[STAGE_SEND] = sent - dequeued;
	/* What the response cut off the last send was spent sending, then waiting. */
	excess = c->sent_last_ns > last ? c->sent_last_ns - last : 0;
	t->ns[STAGE_R2T] = c->r2t_ns;
	t->ns[STAGE_DATA_OUT] = c->data_out_ns;
	if (excess > c->data_out_ns) {
		excess -= c->data_out_ns;
		t->ns[STAGE_DATA_OUT] = 0;
		t->ns[STAGE_R2T] = c->r2t_ns > excess ? c->r2t_ns - excess : 0;
	} else {
		t->ns[STAGE_DATA_OUT] -= excess;
	}
	t->ns[STAGE_TARGET] = response - last;
	t->ns[STAGE_DATA_IN] = completed - response;
	t->ns[STAGE_DONE] = end - completed;
	t->ns[STAGE_TOTAL] = end - (c->start_ns ? start : first);
}

/*
 * The same for one that failed: when no response came, the time since its last send is not the
 * target's alone, but belongs to the stage that was open.
 */
stages_inline void stages_cut_failed(const struct inflight *c, struct stage_times *t)
{
	__u64 rest, asked;

	stages_cut(c, t);
	if (c->response_ns || !c->sent_first_ns)
		return;
	rest = t->ns[STAGE_TARGET];
	asked = c->r2t_at_ns > c->sent_last_ns ? c->r2t_at_ns - c->sent_last_ns : 0;
	if (c->r2ts > c->r2ts_answered) {
		asked = asked < rest ? asked : rest;
		t->ns[STAGE_R2T] += asked;
		t->ns[STAGE_DATA_OUT] += rest - asked;
	} else if (c->r2t_due) {
		t->ns[STAGE_R2T] += rest;
	} else {
		return;
	}
	t->ns[STAGE_TARGET] = 0;
}

/* Do the stages add up to the total? */
stages_inline bool stages_add_up(const struct stage_times *t)
{
	return t->ns[STAGE_BLOCK] + t->ns[STAGE_BUSY] + t->ns[STAGE_QUEUE] + t->ns[STAGE_SEND] +
		       t->ns[STAGE_R2T] + t->ns[STAGE_DATA_OUT] + t->ns[STAGE_TARGET] +
		       t->ns[STAGE_DATA_IN] + t->ns[STAGE_DONE] ==
	       t->ns[STAGE_TOTAL];
}

/* The stage that a command in flight is in. */
stages_inline enum iscsi_stage stage_open(const struct inflight *c)
{
	if (c->state == COMMAND_REFUSED || c->state == COMMAND_FAILED)
		return STAGE_BUSY;
	if (c->completed_ns)
		return STAGE_DONE;
	if (c->response_ns)
		return STAGE_DATA_IN;
	if (c->r2ts > c->r2ts_answered)
		return STAGE_DATA_OUT;
	if (c->sent_first_ns)
		return c->r2t_due ? STAGE_R2T : STAGE_TARGET;
	return c->dequeued_ns ? STAGE_SEND : STAGE_QUEUE;
}

/*
 * A good command has passed every hook. Which stamps it lacks, as bits of enum hook_id; hooks that
 * are not attached do not count.
 */
stages_inline __u32 stages_missing(const struct inflight *c, __u32 hooks)
{
	__u32 missing = 0;

	if (c->result)
		return 0;
	if (!c->dequeued_ns)
		missing |= 1 << HOOK_DEQUEUE;
	if (!c->sent_last_ns)
		missing |= 1 << HOOK_SENT;
	if (!c->response_ns)
		missing |= 1 << HOOK_RESPONSE;
	if (!c->completed_ns)
		missing |= 1 << HOOK_COMPLETE;
	return missing & hooks;
}

#endif
