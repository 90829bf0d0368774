/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where members of the kernel's structures lie; shared by the BPF side and its loader. */
#ifndef STORPROTOTRACE_KERNEL_LAYOUT_H
#define STORPROTOTRACE_KERNEL_LAYOUT_H

#include <linux/types.h>

/*
 * Where members of kernel structures lie, in bytes. Filled by layout_resolve() before the programs
 * are loaded; each comment names structure.member. Structures live in modules, so their offsets
 * come from the named module's BTF and not from CO-RE relocations (which would look at every
 * module, the target's same-named structures included).
 */
struct kernel_layout {
	__u32 task_sc;           /* iscsi_task.sc */
	__u32 task_hdr;          /* iscsi_task.hdr: the basic header segment being sent */
	__u32 task_hdr_itt;      /* iscsi_task.hdr_itt: Initiator Task Tag as on the wire */
	__u32 task_cmdsn;        /* iscsi_task.cmdsn: CmdSN as on the wire */
	__u32 task_immediate;    /* iscsi_task.imm_count: data that goes with the command */
	__u32 task_unsolicited;  /* iscsi_task.unsol_r2t.data_length: data that follows it unasked */
	__u32 task_conn;         /* iscsi_task.conn */
	__u32 task_state;        /* iscsi_task.state */
	__u32 task_dd_data;      /* iscsi_task.dd_data: iscsi_tcp_task for TCP */
	__u32 conn_session;      /* iscsi_conn.session */
	__u32 conn_id;           /* iscsi_conn.id: the CID */
	__u32 session_cmds;      /* iscsi_session.cmds: tasks by ITT */
	__u32 session_state;     /* iscsi_session.state */
	__u32 session_queued_cmdsn; /* iscsi_session.queued_cmdsn: of the next command accepted */
	__u32 session_max_cmdsn; /* iscsi_session.max_cmdsn: the last that the target would take */
	__u32 session_cmds_max;  /* iscsi_session.cmds_max */
	__u32 session_cls;       /* iscsi_session.cls_session */
	__u32 session_tasks_in;  /* iscsi_session.cmdpool.queue.in: tasks freed; may be missing */
	__u32 session_tasks_out; /* iscsi_session.cmdpool.queue.out: tasks taken */
	__u32 tcp_task_r2t;      /* iscsi_tcp_task.r2t: R2T being answered */
	__u32 tcp_task_r2t_in;   /* iscsi_tcp_task.r2tqueue.in: R2Ts accepted, waiting */
	__u32 tcp_task_r2t_out;  /* iscsi_tcp_task.r2tqueue.out */
	__u32 tcp_conn_conn;     /* iscsi_tcp_conn.iscsi_conn */
	__u32 tcp_conn_hdr;      /* iscsi_tcp_conn.in.hdr_buf: the received basic header segment */
	__u32 cls_session_sid;   /* iscsi_cls_session.sid */
	__u32 cls_session_data;  /* iscsi_cls_session.dd_data: iscsi_session of libiscsi's drivers */
	__u32 cls_session_list;  /* iscsi_cls_session.sess_list: link in the list of all sessions */
	__u32 cls_session_dev;   /* iscsi_cls_session.dev: parent of the SCSI target's device */
	__u32 sc_device;         /* scsi_cmnd.device */
	__u32 sc_cmnd;           /* scsi_cmnd.cmnd: the CDB, or the pointer to it before 5.18 */
	__u32 sc_cmnd_pointer;   /* 1: sc_cmnd is a pointer */
	__u32 sc_length;         /* scsi_cmnd.sdb.length */
	__u32 sc_resid;          /* scsi_cmnd.resid_len, scsi_cmnd.req.resid_len before 5.15 */
	__u32 sc_result;         /* scsi_cmnd.result */
	__u32 sc_jiffies;        /* scsi_cmnd.jiffies_at_alloc */
	__u32 sc_state;          /* scsi_cmnd.state: bits of SCMD_STATE_* */
	__u32 sc_sense;          /* scsi_cmnd.sense_buffer */
	__u32 sdev_lun;          /* scsi_device.lun */
	__u32 sdev_gendev;       /* scsi_device.sdev_gendev */
	__u32 device_parent;     /* device.parent */
	__u32 request_size;      /* sizeof(struct request): a scsi_cmnd follows its request */
	__u32 request_start;     /* request.start_time_ns */
	__u32 request_ref;       /* request.ref: 0 once freed */
	__u32 request_state;     /* request.state: enum mq_rq_state */
	/* For the events of sessions. */
	__u32 conn_stop_stage;          /* iscsi_conn.stop_stage: how it was stopped last */
	__u32 cls_session_state;        /* iscsi_cls_session.state: 0 logged in, 1 failed, 2 free */
	__u32 cls_session_block_work;   /* iscsi_cls_session.block_work */
	__u32 cls_session_unblock_work; /* iscsi_cls_session.unblock_work */
	__u32 cls_conn_cid;             /* iscsi_cls_conn.cid */
	__u32 cls_conn_dev;             /* iscsi_cls_conn.dev: its parent is the session's */
	__u32 cls_conn_dd_data;         /* iscsi_cls_conn.dd_data: the iscsi_conn */
};

/* The offset of a member that this kernel does not have. */
#define LAYOUT_MISSING (~0U)

#endif
