/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* NOP-Out round trips of the kernel's own pings: one is open per connection at most. */
#ifndef STORPROTOTRACE_NOPS_BPF_H
#define STORPROTOTRACE_NOPS_BPF_H

#include "iscsi_bpf/commands.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64); /* struct iscsi_conn * */
	__type(value, struct nop_open);
} nops SEC(".maps");

/* Ended ones, for the reader, which is woken when half of it is full. */
#define NOPS_ENDED_BYTES (64 * 1024)
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, NOPS_ENDED_BYTES);
} nops_ended SEC(".maps");

static __always_inline void nop_hand_on(const struct nop_open *nop, __u64 ns)
{
	struct nop_end end = {.ns = ns, .sid = nop->sid, .cid = nop->cid};
	__u64 wake = bpf_ringbuf_query(&nops_ended, BPF_RB_AVAIL_DATA) > NOPS_ENDED_BYTES / 2
			     ? BPF_RB_FORCE_WAKEUP
			     : BPF_RB_NO_WAKEUP;

	if (bpf_ringbuf_output(&nops_ended, &end, sizeof(end), wake))
		count_loss(LOSS_RING_FULL);
}

/*
 * The transmit worker took a management PDU. An answer to the target's NOP-In has the reserved ITT
 * and is not answered. One that is still open was lost without its end being seen.
 */
static __noinline int nop_begin(const struct iscsi_task *task)
{
	struct nop_open nop = {.itt = task_itt(task)}, *open;
	__u64 conn = (__u64)task_conn(task, false);

	if (task_opcode(task) != OPCODE_NOP_OUT || nop.itt == ITT_RESERVED)
		return 0;
	nop.sid = conn_sid((const struct iscsi_conn *)conn);
	nop.cid = conn_id((const struct iscsi_conn *)conn, false);
	if (filter_sids && bpf_map_lookup_elem(&unwanted, &nop.sid))
		return 0;
	open = bpf_map_lookup_elem(&nops, &conn);
	if (open)
		nop_hand_on(open, 0);
	nop.sent_ns = bpf_ktime_get_ns();
	bpf_map_update_elem(&nops, &conn, &nop, BPF_ANY);
	return 0;
}

/* A NOP-In came: the answer, or (with the reserved ITT) a ping of the target's. */
static __noinline int nop_answered(const struct iscsi_tcp_conn *tcp_conn)
{
	__u64 conn = tcp_conn_conn(tcp_conn), now = bpf_ktime_get_ns();
	struct nop_open *open = bpf_map_lookup_elem(&nops, &conn);

	/* With digests it comes here once more. */
	if (!open || open->itt != tcp_conn_itt(tcp_conn))
		return 0;
	nop_hand_on(open, now > open->sent_ns ? now - open->sent_ns : 1);
	bpf_map_delete_elem(&nops, &conn);
	return 0;
}

/* A management task ends. If it is a ping that is still open, the connection was given up. */
static __noinline int nop_over(const struct iscsi_task *task)
{
	__u64 conn = (__u64)task_conn(task, false);
	struct nop_open *open = bpf_map_lookup_elem(&nops, &conn);

	if (!open || open->itt != task_itt(task))
		return 0;
	nop_hand_on(open, 0);
	bpf_map_delete_elem(&nops, &conn);
	return 0;
}

#endif
