/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The hooks' numbers; shared by the BPF and the user side, hence without includes. */
#ifndef STORPROTOTRACE_HOOK_ID_H
#define STORPROTOTRACE_HOOK_ID_H

/* What a hook sees: of a command's life, then of a session's; bit numbers of cfg_hooks. */
enum hook_id {
	HOOK_SUBMIT,   /* iscsi_queuecommand entered */
	HOOK_DEQUEUE,  /* iscsi_tcp_task_init entered */
	HOOK_SENT,     /* iscsi_tcp_task_xmit returned */
	HOOK_R2T,      /* iscsi_requeue_task entered */
	HOOK_RESPONSE, /* iscsi_tcp_hdr_recv_done entered */
	HOOK_COMPLETE, /* iscsi_complete_task entered */
	HOOK_CLEANUP,  /* iscsi_tcp_cleanup_task entered */
	HOOK_REFUSED,  /* scsi_dispatch_cmd_error fired */
	HOOK_COMMAND_COUNT,
	HOOK_LOGIN = HOOK_COMMAND_COUNT, /* iscsi_conn_start entered */
	HOOK_LOGOUT,                     /* iscsi_remove_session entered */
	HOOK_CONN_ERROR,                 /* iscsi_conn_error_event entered */
	HOOK_CONN_STOP,                  /* iscsi_conn_stop entered */
	HOOK_BLOCK,                      /* __iscsi_block_session entered */
	HOOK_UNBLOCK,                    /* __iscsi_unblock_session entered */
	HOOK_RECOVERY_TIMEOUT,           /* iscsi_session_recovery_timedout entered */
	HOOK_ABORT,                      /* iscsi_eh_abort entered and returned */
	HOOK_LUN_RESET,                  /* iscsi_eh_device_reset, the same */
	HOOK_TARGET_RESET,               /* iscsi_eh_recover_target */
	HOOK_SESSION_RESET,              /* iscsi_eh_session_reset */
	HOOK_COUNT,
};

#endif
