/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A command that ended is added to the sums of its key, on both sides. */
#ifndef STORPROTOTRACE_SUMS_ADD_H
#define STORPROTOTRACE_SUMS_ADD_H

#include "iscsi_bpf/stages.h"

stages_inline void stages_max(__u64 *max, __u64 value)
{
	if (*max < value)
		*max = value;
}

/* Adds the stages' sums and maxima. One writer at a time: back_lock is held, or user space. */
stages_inline void sums_add_times(struct sums *s, const struct stage_times *t)
{
	UNROLL
	for (int i = 0; i < STAGE_COUNT; i++) {
		s->stage[i].sum_ns += t->ns[i];
		stages_max(&s->stage[i].max_ns, t->ns[i]);
	}
	stages_max(&s->phase_max_ns[PHASE_WAITING],
		   t->ns[STAGE_BLOCK] + t->ns[STAGE_BUSY] + t->ns[STAGE_QUEUE]);
	stages_max(&s->phase_max_ns[PHASE_SENDING],
		   t->ns[STAGE_SEND] + t->ns[STAGE_R2T] + t->ns[STAGE_DATA_OUT]);
	stages_max(&s->phase_max_ns[PHASE_COMPLETE],
		   t->ns[STAGE_TARGET] + t->ns[STAGE_DATA_IN] + t->ns[STAGE_DONE]);
}

/* Adds refusals by reason: what is neither for want of a task nor unknown is a closed window. */
stages_inline void sums_add_refused(struct sums *s, const struct inflight *c)
{
	s->refused += c->refused;
	s->refused_no_task += c->refused_no_task;
	s->refused_window += c->refused - c->refused_no_task - c->refused_other;
}

/* Adds the command's counts; its fate is by its last result: 0, host byte, else SCSI status. */
stages_inline void sums_add_counts(struct sums *s, const struct inflight *c)
{
	s->ios++;
	s->pdus += c->pdus;
	s->bytes += c->bytes;
	if (!c->result)
		s->good++;
	else if ((c->result >> 16) & 0xff)
		s->host_errors++;
	else
		s->status_errors++;
	if (c->refused)
		sums_add_refused(s, c);
	s->no_task += c->no_task;
	s->retries += c->retries;
	s->aborted += c->aborted;
	s->disrupted += c->disrupted;
	s->r2ts += c->r2ts;
	s->no_block += !c->start_ns;
}

#endif
