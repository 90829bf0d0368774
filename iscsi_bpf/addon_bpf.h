/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's structures as the BPF side sees them: opaque types, and one accessor per member
 * used. Where a member lies is in `layout` (see struct kernel_layout in wire.h for the source of
 * each offset); what a member means is said here, with its header in the kernel tree.
 *
 * `direct`: the pointer is a typed argument of a fentry program, or was read through one, so that
 * the verifier allows a plain load. Otherwise each read is a bpf_probe_read_kernel().
 */
#ifndef STORPROTOTRACE_ADDON_BPF_H
#define STORPROTOTRACE_ADDON_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* Registers at a kprobe: names and order are fixed by the kernel's ptrace ABI. */
#define __VMLINUX_H__
#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, cs, flags, sp, ss;
};
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	__u64 regs[31], sp, pc, pstate;
};
struct pt_regs;
#else
#error "storprototrace: registers of this architecture are not described"
#endif

#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "iscsi_bpf/pdu.h"
#include "iscsi_bpf/scsi.h"
#include "iscsi_bpf/wire.h"

extern const volatile struct kernel_layout layout;

/* include/scsi/libiscsi.h */
struct iscsi_task;    /* one accepted command (or management PDU); recycled, so never a key */
struct iscsi_conn;    /* a connection */
struct iscsi_session; /* a session; Linux has one connection in it */
/* include/scsi/libiscsi_tcp.h */
struct iscsi_tcp_conn;
/* include/scsi/scsi_cmnd.h, scsi_device.h */
struct scsi_cmnd;
struct scsi_device;
/* include/linux/device.h */
struct device;

/* iscsi_task.state, unchanged from 4.18 to 7.3 */
enum {
	ISCSI_TASK_PENDING = 2,
	ISCSI_TASK_RUNNING = 3,
	ISCSI_TASK_ABRT_TMF = 4,
	ISCSI_TASK_ABRT_SESS_RECOV = 5,
};

/* iscsi_session.state, the same */
#define ISCSI_STATE_LOGGED_IN 2

/* scsi_cmnd.result: host byte in bits 16-23 (include/scsi/scsi_status.h) */
enum {
	DID_TIME_OUT = 0x03,
	DID_ABORT = 0x05,
	DID_TRANSPORT_DISRUPTED = 0x0e,
};

/* scsi_cmnd.result: SCSI status in bits 0-7 */
#define STATUS_CHECK_CONDITION 0x02

/* scsi_cmnd.state: set by scsi_done(), or before it when the command timed out */
#define SCMD_STATE_COMPLETE 1

/* libiscsi's ITT: the task's index below, the session's age above (include/scsi/libiscsi.h). */
#define ITT_INDEX_MASK 0x1fff

#define accessor static __always_inline

#define LOAD(type, base, offset, direct)                                                           \
	({                                                                                         \
		const void *at_ = (const void *)(base) + (offset);                                 \
		type value_ = 0;                                                                   \
		if (direct)                                                                        \
			value_ = *(type const volatile *)at_;                                      \
		else                                                                               \
			bpf_probe_read_kernel(&value_, sizeof(value_), at_);                       \
		value_;                                                                            \
	})

/* The command; NULL: a management PDU (NOP-Out, task management, login, text). */
accessor struct scsi_cmnd *task_sc(const struct iscsi_task *task, bool direct)
{
	return LOAD(struct scsi_cmnd *, task, layout.task_sc, direct);
}

accessor struct iscsi_conn *task_conn(const struct iscsi_task *task, bool direct)
{
	return LOAD(struct iscsi_conn *, task, layout.task_conn, direct);
}

accessor int task_state(const struct iscsi_task *task, bool direct)
{
	return LOAD(int, task, layout.task_state, direct);
}

/* Of a management PDU from its iscsi_tcp_task_init on. */
accessor __u8 task_opcode(const struct iscsi_task *task)
{
	__u64 hdr = LOAD(__u64, task, layout.task_hdr, false);

	return LOAD(__u8, hdr, 0, false) & OPCODE_MASK;
}

accessor __u32 task_itt(const struct iscsi_task *task)
{
	__u64 hdr = LOAD(__u64, task, layout.task_hdr, false);

	return LOAD(__u32, hdr, BHS_ITT, false);
}

/* Initiator Task Tag and CmdSN as on the wire; of a command they are set once it is dequeued. */
accessor __u32 task_hdr_itt(const struct iscsi_task *task, bool direct)
{
	return LOAD(__u32, task, layout.task_hdr_itt, direct);
}

accessor __u32 task_cmdsn(const struct iscsi_task *task, bool direct)
{
	return LOAD(__u32, task, layout.task_cmdsn, direct);
}

/*
 * Has it data of its `length` bytes that the target must ask for? To be asked at
 * iscsi_tcp_task_init: before it the header is not made, in it imm_count is cleared.
 */
accessor bool task_needs_r2t(const struct iscsi_task *task, __u32 length, bool direct)
{
	const void *hdr = LOAD(const void *, task, layout.task_hdr, direct);

	if (!(LOAD(__u8, hdr, BHS_FLAGS, direct) & FLAG_WRITE))
		return false;
	return LOAD(__u32, task, layout.task_immediate, direct) +
		       LOAD(__u32, task, layout.task_unsolicited, direct) <
	       length;
}

/*
 * Is there an R2T whose data is not all given to the socket: one being answered, or accepted ones
 * waiting (a kfifo: in != out)?
 */
accessor bool task_owes_data(const struct iscsi_task *task, bool direct)
{
	const void *tcp_task = LOAD(void *, task, layout.task_dd_data, direct);
	__u32 in, out;

	if (LOAD(void *, tcp_task, layout.tcp_task_r2t, false))
		return true;
	in = LOAD(__u32, tcp_task, layout.tcp_task_r2t_in, false);
	out = LOAD(__u32, tcp_task, layout.tcp_task_r2t_out, false);
	return in != out;
}

/* The CID. */
accessor __u32 conn_id(const struct iscsi_conn *conn, bool direct)
{
	return LOAD(__u32, conn, layout.conn_id, direct);
}

accessor __u8 tcp_conn_opcode(const struct iscsi_tcp_conn *tcp_conn, bool direct)
{
	return LOAD(__u8, tcp_conn, layout.tcp_conn_hdr, direct) & OPCODE_MASK;
}

accessor __u64 tcp_conn_conn(const struct iscsi_tcp_conn *tcp_conn)
{
	return LOAD(__u64, tcp_conn, layout.tcp_conn_conn, false);
}

accessor __u32 tcp_conn_itt(const struct iscsi_tcp_conn *tcp_conn)
{
	return LOAD(__u32, tcp_conn, layout.tcp_conn_hdr + BHS_ITT, false);
}

/* Of an R2T: where in the command's data that ends which it asks for. */
accessor __u32 tcp_conn_r2t_end(const struct iscsi_tcp_conn *tcp_conn, bool direct)
{
	return bpf_ntohl(LOAD(__u32, tcp_conn, layout.tcp_conn_hdr + BHS_R2T_OFFSET, direct)) +
	       bpf_ntohl(LOAD(__u32, tcp_conn, layout.tcp_conn_hdr + BHS_R2T_LENGTH, direct));
}

/* The task that the header just received is for. The table's entries are plain pointers. */
accessor struct iscsi_task *tcp_conn_task(const struct iscsi_tcp_conn *tcp_conn, bool direct)
{
	struct iscsi_conn *conn = LOAD(struct iscsi_conn *, tcp_conn, layout.tcp_conn_conn, direct);
	struct iscsi_session *session =
		LOAD(struct iscsi_session *, conn, layout.conn_session, direct);
	__u64 tasks = LOAD(__u64, session, layout.session_cmds, direct);
	__u32 itt = LOAD(__u32, tcp_conn, layout.tcp_conn_hdr + BHS_ITT, direct);

	return LOAD(struct iscsi_task *, tasks, (itt & ITT_INDEX_MASK) * sizeof(void *), false);
}

accessor struct scsi_device *sc_device(const struct scsi_cmnd *sc, bool direct)
{
	return LOAD(struct scsi_device *, sc, layout.sc_device, direct);
}

/* A byte of the CDB. 5.18 put the CDB into the command; before it was pointed to. */
accessor __u8 sc_cdb(const struct scsi_cmnd *sc, __u32 index, bool direct)
{
	if (layout.sc_cmnd_pointer) {
		__u64 cdb = LOAD(__u64, sc, layout.sc_cmnd, direct);

		return LOAD(__u8, cdb, index, false);
	}
	return LOAD(__u8, sc, layout.sc_cmnd + index, direct);
}

/* Bytes 2-9 of the CDB: in most commands the LBA and the length. */
accessor __u64 sc_cdb_middle(const struct scsi_cmnd *sc, bool direct)
{
	if (layout.sc_cmnd_pointer) {
		__u64 cdb = LOAD(__u64, sc, layout.sc_cmnd, direct);

		return LOAD(__u64, cdb, 2, false);
	}
	return LOAD(__u64, sc, layout.sc_cmnd + 2, direct);
}

/* The first 32 bytes of the CDB and of what follows a shorter one. */
accessor void sc_cdb_copy(const struct scsi_cmnd *sc, __u8 cdb[CDB_BYTES])
{
	__u64 from = (__u64)sc + layout.sc_cmnd;

	if (layout.sc_cmnd_pointer)
		from = LOAD(__u64, sc, layout.sc_cmnd, false);
	bpf_probe_read_kernel(cdb, CDB_BYTES, (const void *)from);
}

/* The sense data that came with CHECK CONDITION, as sense_code(). */
accessor __u32 sc_sense(const struct scsi_cmnd *sc)
{
	__u64 buffer = LOAD(__u64, sc, layout.sc_sense, false);
	__u8 sense[SENSE_BYTES] = {};

	bpf_probe_read_kernel(sense, sizeof(sense), (const void *)buffer);
	return sense_code(sense);
}

/* Data length in bytes. */
accessor __u32 sc_length(const struct scsi_cmnd *sc, bool direct)
{
	return LOAD(__u32, sc, layout.sc_length, direct);
}

/* What of it was not transferred. */
accessor __u32 sc_resid(const struct scsi_cmnd *sc, bool direct)
{
	return LOAD(__u32, sc, layout.sc_resid, direct);
}

accessor __u32 sc_result(const struct scsi_cmnd *sc, bool direct)
{
	return LOAD(__u32, sc, layout.sc_result, direct);
}

accessor __u64 sc_state(const struct scsi_cmnd *sc, bool direct)
{
	return LOAD(__u64, sc, layout.sc_state, direct);
}

accessor __u64 sc_jiffies(const struct scsi_cmnd *sc, bool direct)
{
	return LOAD(__u64, sc, layout.sc_jiffies, direct);
}

/* The request lies right before its scsi_cmnd (blk_mq_rq_from_pdu); no typed pointer reaches it. */
accessor __u64 sc_request(const struct scsi_cmnd *sc)
{
	return (__u64)sc - layout.request_size;
}

/* When the request was made, bpf_ktime_get_ns() clock; 0: the kernel did not note it. */
accessor __u64 request_start(__u64 request)
{
	return LOAD(__u64, request, layout.request_start, false);
}

/* 0: freed. */
accessor __u32 request_ref(__u64 request)
{
	return LOAD(__u32, request, layout.request_ref, false);
}

/* enum mq_rq_state, unchanged from 4.18 to 7.3; 0: not given to the driver (any more). */
#define MQ_RQ_IDLE 0

accessor __u32 request_state(__u64 request)
{
	return LOAD(__u32, request, layout.request_state, false);
}

accessor __u64 sdev_lun(const struct scsi_device *sdev, bool direct)
{
	return LOAD(__u64, sdev, layout.sdev_lun, direct);
}

/*
 * The iscsi_cls_session.dev from the LUN's place in the device tree: LUN below SCSI target below
 * session, as libiscsi's starget_to_session(). The session is around the device, hence no typed
 * pointer.
 */
accessor __u64 sdev_session_dev(const struct scsi_device *sdev, bool direct)
{
	struct device *target =
		LOAD(struct device *, sdev, layout.sdev_gendev + layout.device_parent, direct);

	return LOAD(__u64, target, layout.device_parent, direct);
}

accessor __u32 sdev_sid(const struct scsi_device *sdev, bool direct)
{
	return LOAD(__u32, sdev_session_dev(sdev, direct),
		    (int)(layout.cls_session_sid - layout.cls_session_dev), false);
}

accessor __u64 sdev_session(const struct scsi_device *sdev)
{
	return LOAD(__u64, sdev_session_dev(sdev, false),
		    (int)(layout.cls_session_data - layout.cls_session_dev), false);
}

/* The iscsi_cls_session around a link of the list of all sessions, and libiscsi's part of it. */
accessor __u64 link_cls_session(__u64 link)
{
	return link - layout.cls_session_list;
}

accessor __u64 cls_session_data(__u64 cls_session)
{
	return LOAD(__u64, cls_session, layout.cls_session_data, false);
}

accessor __u32 cls_session_sid(__u64 cls_session)
{
	return LOAD(__u32, cls_session, layout.cls_session_sid, false);
}

accessor __u64 session_cls(__u64 session)
{
	return LOAD(__u64, session, layout.session_cls, false);
}

/* Tasks of the session: for commands, and 15 for management. */
accessor __u32 session_cmds_max(__u64 session)
{
	return LOAD(__u32, session, layout.session_cmds_max, false);
}

accessor __u32 conn_sid(const struct iscsi_conn *conn)
{
	return cls_session_sid(session_cls(LOAD(__u64, conn, layout.conn_session, false)));
}

accessor __u32 session_state(__u64 session)
{
	return LOAD(__u32, session, layout.session_state, false);
}

/*
 * Commands that iscsi_queuecommand would accept now, by its own test (RFC 1982 arithmetic, as
 * iscsi_check_cmdsn_window_closed()): from the CmdSN that the next command to be queued gets to
 * MaxCmdSN. 0: the window is closed.
 */
accessor __u32 session_window(__u64 session)
{
	__u32 queued = LOAD(__u32, session, layout.session_queued_cmdsn, false);
	__u32 max = LOAD(__u32, session, layout.session_max_cmdsn, false);

	return (__s32)(max - queued) < 0 ? 0 : max - queued + 1;
}

/* Are all of the session's tasks taken? Its pool is a kfifo: in == out. */
accessor bool session_tasks_taken(__u64 session)
{
	if (layout.session_tasks_in == LAYOUT_MISSING || layout.session_tasks_out == LAYOUT_MISSING)
		return false;
	return LOAD(__u32, session, layout.session_tasks_in, false) ==
	       LOAD(__u32, session, layout.session_tasks_out, false);
}

#endif
