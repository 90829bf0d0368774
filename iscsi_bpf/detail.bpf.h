/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What each event in a command's life writes down for the command's own event, where one is wanted.
 */
#ifndef STORPROTOTRACE_DETAIL_BPF_H
#define STORPROTOTRACE_DETAIL_BPF_H

#include "iscsi_bpf/commands.bpf.h"

/* An attempt begins; `c` lies in a slot, here and below. */
static __always_inline void detail_submit(struct inflight *c, const struct scsi_cmnd *sc)
{
	struct detail *d = inflight_detail(c);

	if (!cfg_detail)
		return;
	sc_cdb_copy(sc, d->cdb);
	d->itt = d->cmdsn = d->cpu_transmit = d->cpu_complete = d->sense = ~0U;
	d->cpu_submit = bpf_get_smp_processor_id();
}

/* The transmit worker took the task: it has its tag and its number by now. */
static __always_inline void detail_dequeue(struct inflight *c, const struct iscsi_task *task,
					   bool direct)
{
	struct detail *d = inflight_detail(c);

	if (!cfg_detail)
		return;
	d->itt = task_hdr_itt(task, direct);
	d->cmdsn = task_cmdsn(task, direct);
	d->cpu_transmit = bpf_get_smp_processor_id();
}

/* The attempt ended, c->result is set. */
static __always_inline void detail_end(struct inflight *c, const struct scsi_cmnd *sc)
{
	struct detail *d = inflight_detail(c);

	if (!cfg_detail)
		return;
	d->cpu_complete = bpf_get_smp_processor_id();
	if ((c->result & 0xff) == STATUS_CHECK_CONDITION)
		d->sense = sc_sense(sc);
}

#endif
