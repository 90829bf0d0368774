// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The programs: each hook as fentry and as kprobe around one body of events.bpf.h. */
#include "iscsi_bpf/events.bpf.h"
#include "iscsi_bpf/session_events.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

SEC("?module_fentry/iscsi_queuecommand")
int BPF_PROG(fentry_submit, void *host, struct scsi_cmnd *sc)
{
	return on_submit(sc, true, false);
}

SEC("?kprobe/iscsi_queuecommand")
int BPF_KPROBE(kprobe_submit, void *host, struct scsi_cmnd *sc)
{
	return on_submit(sc, false, false);
}

/* For kernels before 5.12, which have no fentry on modules' functions either. */
SEC("?kprobe/iscsi_queuecommand")
int BPF_KPROBE(kprobe_submit_claim, void *host, struct scsi_cmnd *sc)
{
	return on_submit(sc, false, true);
}

SEC("?module_fentry/iscsi_tcp_task_init")
int BPF_PROG(fentry_dequeue, struct iscsi_task *task)
{
	return on_dequeue(task, true);
}

SEC("?kprobe/iscsi_tcp_task_init")
int BPF_KPROBE(kprobe_dequeue, struct iscsi_task *task)
{
	return on_dequeue(task, false);
}

SEC("?module_fexit/iscsi_tcp_task_xmit")
int BPF_PROG(fexit_sent, struct iscsi_task *task, int result)
{
	return on_sent(task, result, true);
}

/*
 * A kretprobe has no arguments left, so the entry notes the task by thread. A thread is in one
 * iscsi_tcp_task_xmit at a time: what it receives meanwhile never transmits.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);   /* bpf_get_current_pid_tgid() */
	__type(value, __u64); /* struct iscsi_task * */
} sending SEC(".maps");

SEC("?kprobe/iscsi_tcp_task_xmit")
int BPF_KPROBE(kprobe_send, struct iscsi_task *task)
{
	__u64 thread = bpf_get_current_pid_tgid(), value = (__u64)task;

	bpf_map_update_elem(&sending, &thread, &value, BPF_ANY);
	return 0;
}

SEC("?kretprobe/iscsi_tcp_task_xmit")
int BPF_KRETPROBE(kretprobe_sent, int result)
{
	__u64 thread = bpf_get_current_pid_tgid();
	__u64 *task = bpf_map_lookup_elem(&sending, &thread);

	if (!task)
		return 0;
	on_sent((const struct iscsi_task *)*task, result, false);
	bpf_map_delete_elem(&sending, &thread);
	return 0;
}

SEC("?module_fentry/iscsi_requeue_task")
int BPF_PROG(fentry_r2t, struct iscsi_task *task)
{
	return on_r2t(task, true);
}

SEC("?kprobe/iscsi_requeue_task")
int BPF_KPROBE(kprobe_r2t, struct iscsi_task *task)
{
	return on_r2t(task, false);
}

SEC("?module_fentry/iscsi_tcp_hdr_recv_done")
int BPF_PROG(fentry_response, struct iscsi_tcp_conn *tcp_conn)
{
	return on_response(tcp_conn, true);
}

SEC("?kprobe/iscsi_tcp_hdr_recv_done")
int BPF_KPROBE(kprobe_response, struct iscsi_tcp_conn *tcp_conn)
{
	return on_response(tcp_conn, false);
}

SEC("?module_fentry/iscsi_complete_task")
int BPF_PROG(fentry_complete, struct iscsi_task *task)
{
	return on_complete(task, true);
}

SEC("?kprobe/iscsi_complete_task")
int BPF_KPROBE(kprobe_complete, struct iscsi_task *task)
{
	return on_complete(task, false);
}

SEC("?module_fentry/iscsi_tcp_cleanup_task")
int BPF_PROG(fentry_cleanup, struct iscsi_task *task)
{
	return on_cleanup(task, true);
}

SEC("?kprobe/iscsi_tcp_cleanup_task")
int BPF_KPROBE(kprobe_cleanup, struct iscsi_task *task)
{
	return on_cleanup(task, false);
}

SEC("?raw_tp/scsi_dispatch_cmd_error")
int tracepoint_refused(struct bpf_raw_tracepoint_args *ctx)
{
	return on_refused((const struct scsi_cmnd *)ctx->args[0]);
}

/*
 * Run by the reader, never attached; args[0] is the scsi_cmnd of an entry. Frees the entry when its
 * request was freed or serves another command, or when args[1] says so.
 */
SEC("raw_tp")
int sweep(struct bpf_raw_tracepoint_args *ctx)
{
	const struct scsi_cmnd *sc = (const struct scsi_cmnd *)ctx->args[0];
	struct inflight *c = inflight_find(sc);
	__u64 request = sc_request(sc);

	if (!c || !c->first_ns)
		return SWEEP_UNKNOWN;
	if (!ctx->args[1] && request_ref(request) && request_start(request) == c->start_ns &&
	    sc_jiffies(sc, false) == c->jiffies)
		return request_state(request) == MQ_RQ_IDLE ? SWEEP_WAITING : SWEEP_ALIVE;
	inflight_release(sc);
	return SWEEP_GONE;
}

/*
 * Run by the reader, never attached; args[0] is the address of a link in the kernel's list of
 * sessions. No lock is held and the link may be stale: what is around it is a session only if both
 * of its parts point to each other.
 */
SEC("raw_tp")
int look_at_session(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 link = ctx->args[0], cls = link_cls_session(link);
	__u64 session = cls_session_data(cls);
	struct session_seen seen = {.next = LOAD(__u64, link, 0, false)};

	if (session && session_cls(session) == cls) {
		seen.sid = cls_session_sid(cls);
		seen.cmds_max = session_cmds_max(session);
		seen.open = session_state(session) == ISCSI_STATE_LOGGED_IN;
		seen.window = session_window(session);
	}
	session_seen = seen;
	return 0;
}
