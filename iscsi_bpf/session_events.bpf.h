/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a session goes through: the hooks and their bodies. All are rare, so nothing here is read
 * directly: one body serves the fentry and the kprobe variant.
 */
#ifndef STORPROTOTRACE_SESSION_EVENTS_BPF_H
#define STORPROTOTRACE_SESSION_EVENTS_BPF_H

#include "iscsi_bpf/commands.bpf.h"
#include "iscsi_bpf/turn.h"

/* include/scsi/scsi_transport_iscsi.h */
struct iscsi_cls_session;
struct iscsi_cls_conn;
struct work_struct;

/* iscsi_cls_session.state, unchanged from 4.18 to 7.3 */
enum {
	ISCSI_SESSION_FAILED = 1, /* blocked */
	ISCSI_SESSION_FREE = 2,	  /* not logged in yet, or not back in time */
};

/* iscsi_conn.stop_stage (include/scsi/iscsi_if.h) */
#define STOP_CONN_RECOVER 3
/* What error handlers return (include/scsi/scsi.h). */
#define EH_SUCCESS 0x2002

/* Turns in the order in which they happened; the reader is woken for each. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 * 1024);
} turns SEC(".maps");

/*
 * Since when a session is blocked, by sid; 0: it did not come back in time. An entry whose end was
 * not seen gives way to others.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, __u64);
} blocked SEC(".maps");

/* Error handling at work. */
struct recovery {
	__u64 since_ns;
	__u64 lun;
	__u32 sid;
	__u32 pad;
};

/* By thread (upper half: enum session_turn); a thread is in each kind once at most. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct recovery);
} recoveries SEC(".maps");

static __always_inline struct turn turn_init(__u32 turn, __u32 sid)
{
	return (struct turn){.time_ns = bpf_ktime_get_ns(),
			     .duration_ns = TURN_NONE,
			     .lun = TURN_NONE,
			     .sid = sid,
			     .cid = TURN_NONE_32,
			     .turn = turn,
			     .code = TURN_NONE_32,
			     .outcome = TURN_NONE_32};
}

static __noinline int turn_tell(struct turn *t)
{
	__u32 sid = t->sid;

	if (filter_sids && bpf_map_lookup_elem(&unwanted, &sid))
		return 0;
	if (bpf_ringbuf_output(&turns, t, sizeof(*t), 0))
		count_loss(LOSS_EVENT_FULL);
	return 0;
}

accessor int cls_session_state(__u64 session)
{
	return LOAD(int, session, layout.cls_session_state, false);
}

/* The SID of a connection's session: its device is the parent of the connection's. */
accessor __u32 cls_conn_sid(__u64 conn)
{
	__u64 session_dev = LOAD(__u64, conn, layout.cls_conn_dev + layout.device_parent, false);

	return cls_session_sid(session_dev - layout.cls_session_dev);
}

static __always_inline int conn_turn(__u64 conn, __u32 turn, __u32 code)
{
	struct turn t = turn_init(turn, cls_conn_sid(conn));

	t.cid = LOAD(__u32, conn, layout.cls_conn_cid, false);
	t.code = code;
	return turn_tell(&t);
}

/* iscsi_conn_start: the login is done; every session is then unblocked, a new one too. */
static __always_inline int on_login(__u64 cls_conn)
{
	__u64 conn = LOAD(__u64, cls_conn, layout.cls_conn_dd_data, false);
	int stopped = LOAD(int, conn, layout.conn_stop_stage, false);

	return conn_turn(cls_conn, SESSION_LOGIN,
			 stopped == STOP_CONN_RECOVER ? LOGIN_AGAIN : LOGIN_NEW);
}

/* iscsi_remove_session; also runs for a session whose first login failed: that is no logout. */
static __always_inline int on_logout(__u64 session)
{
	__u32 sid = cls_session_sid(session);
	struct turn t = turn_init(SESSION_LOGOUT, sid);
	bool timed_out = bpf_map_lookup_elem(&blocked, &sid);

	if (!timed_out && cls_session_state(session) == ISCSI_SESSION_FREE)
		return 0;
	bpf_map_delete_elem(&blocked, &sid);
	return turn_tell(&t);
}

/* __iscsi_block_session */
static __always_inline int on_block(__u64 session)
{
	__u32 sid = cls_session_sid(session);
	struct turn t = turn_init(SESSION_BLOCKED, sid);

	bpf_map_update_elem(&blocked, &sid, &t.time_ns, BPF_ANY);
	return turn_tell(&t);
}

/*
 * __iscsi_unblock_session; also runs after a first login, and after a login that came too late:
 * these sessions were not blocked (any more). One blocked since before the tracer came is failed.
 */
static __always_inline int on_unblock(__u64 session)
{
	__u32 sid = cls_session_sid(session);
	__u64 *since = bpf_map_lookup_elem(&blocked, &sid);
	struct turn t = turn_init(SESSION_UNBLOCKED, sid);
	bool was_blocked = since ? *since : cls_session_state(session) == ISCSI_SESSION_FAILED;

	if (since && *since)
		t.duration_ns = t.time_ns - *since;
	bpf_map_delete_elem(&blocked, &sid);
	return was_blocked ? turn_tell(&t) : 0;
}

/* iscsi_session_recovery_timedout */
static __always_inline int on_recovery_timeout(__u64 session)
{
	__u32 sid = cls_session_sid(session);
	__u64 *since = bpf_map_lookup_elem(&blocked, &sid), none = 0;
	struct turn t = turn_init(SESSION_RECOVERY_TIMEOUT, sid);

	if (since && *since)
		t.duration_ns = t.time_ns - *since;
	bpf_map_update_elem(&blocked, &sid, &none, BPF_ANY);
	return turn_tell(&t);
}

static __always_inline __u64 recovery_key(__u32 turn)
{
	return (__u64)turn << 32 | (__u32)bpf_get_current_pid_tgid();
}

static __noinline int recovery_tell(__u32 turn, bool success)
{
	__u64 key = recovery_key(turn);
	struct recovery *recovery = bpf_map_lookup_elem(&recoveries, &key);
	struct turn t;

	if (!recovery)
		return 0;
	t = turn_init(turn, recovery->sid);
	t.duration_ns = t.time_ns - recovery->since_ns;
	t.outcome = success ? OUTCOME_SUCCESS : OUTCOME_FAILED;
	if (turn == SESSION_ABORT || turn == SESSION_LUN_RESET)
		t.lun = recovery->lun;
	bpf_map_delete_elem(&recoveries, &key);
	return turn_tell(&t);
}

/*
 * An error handler begins. iscsi_eh_recover_target resets the target and, when that fails, goes on
 * into iscsi_eh_session_reset: so the target's reset ends there.
 */
static __always_inline int on_recovery(const struct scsi_cmnd *sc, __u32 turn)
{
	const struct scsi_device *sdev = sc_device(sc, false);
	struct recovery recovery = {.since_ns = bpf_ktime_get_ns(),
				    .lun = sdev_lun(sdev, false),
				    .sid = sdev_sid(sdev, false)};
	__u64 key = recovery_key(turn);

	if (turn == SESSION_SESSION_RESET)
		recovery_tell(SESSION_TARGET_RESET, false);
	bpf_map_update_elem(&recoveries, &key, &recovery, BPF_ANY);
	return 0;
}

#define SESSION_HOOK(name, function, argument, body)                                               \
	SEC("?module_fentry/" function)                                                            \
	int BPF_PROG(fentry_##name, argument)                                                      \
	{                                                                                          \
		return body;                                                                       \
	}                                                                                          \
	SEC("?kprobe/" function)                                                                   \
	int BPF_KPROBE(kprobe_##name, argument)                                                    \
	{                                                                                          \
		return body;                                                                       \
	}

#define CONN_HOOK(name, function, turn)                                                            \
	SEC("?module_fentry/" function)                                                            \
	int BPF_PROG(fentry_##name, struct iscsi_cls_conn *conn, int code)                         \
	{                                                                                          \
		return conn_turn((__u64)conn, turn, code);                                         \
	}                                                                                          \
	SEC("?kprobe/" function)                                                                   \
	int BPF_KPROBE(kprobe_##name, struct iscsi_cls_conn *conn, int code)                       \
	{                                                                                          \
		return conn_turn((__u64)conn, turn, code);                                         \
	}

#define RECOVERY_HOOK(name, function, turn)                                                        \
	SESSION_HOOK(name, function, struct scsi_cmnd *sc, on_recovery(sc, turn))                  \
	SEC("?module_fexit/" function)                                                             \
	int BPF_PROG(fexit_##name, struct scsi_cmnd *sc, int result)                               \
	{                                                                                          \
		return recovery_tell(turn, result == EH_SUCCESS);                                  \
	}                                                                                          \
	SEC("?kretprobe/" function)                                                                \
	int BPF_KRETPROBE(kretprobe_##name, int result)                                            \
	{                                                                                          \
		return recovery_tell(turn, result == EH_SUCCESS);                                  \
	}

SESSION_HOOK(login, "iscsi_conn_start", struct iscsi_cls_conn *conn, on_login((__u64)conn))
SESSION_HOOK(logout, "iscsi_remove_session", struct iscsi_cls_session *session,
	     on_logout((__u64)session))
/*
 * Not iscsi_conn_failure: the compiler puts copies of it into its callers, and it runs for each
 * thing that fails in consequence. This one runs for the first, once per connection lost.
 */
CONN_HOOK(conn_error, "iscsi_conn_error_event", SESSION_CONN_ERROR)
CONN_HOOK(conn_stop, "iscsi_conn_stop", SESSION_CONN_STOP)
/* Work functions: the moment at which it happens, not at which it is asked for. */
SESSION_HOOK(block, "__iscsi_block_session", struct work_struct *work,
	     on_block((__u64)work - layout.cls_session_block_work))
SESSION_HOOK(unblock, "__iscsi_unblock_session", struct work_struct *work,
	     on_unblock((__u64)work - layout.cls_session_unblock_work))
SESSION_HOOK(recovery_timeout, "iscsi_session_recovery_timedout", struct iscsi_cls_session *session,
	     on_recovery_timeout((__u64)session))
RECOVERY_HOOK(abort, "iscsi_eh_abort", SESSION_ABORT)
RECOVERY_HOOK(lun_reset, "iscsi_eh_device_reset", SESSION_LUN_RESET)
RECOVERY_HOOK(target_reset, "iscsi_eh_recover_target", SESSION_TARGET_RESET)
RECOVERY_HOOK(session_reset, "iscsi_eh_session_reset", SESSION_SESSION_RESET)

#endif
