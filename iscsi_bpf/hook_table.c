// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The hooks as a table. */
#include <stddef.h>
#include "common/hook_info.h"
#include "iscsi_bpf/hook_table.h"

#define ENTRY(function, name)                                                                      \
	{                                                                                          \
		function, .fentry = "fentry_" name, .kprobe = "kprobe_" name                       \
	}

#define ENTRY_AND_RETURN(function, name)                                                           \
	{                                                                                          \
		function, .fentry = "fentry_" name, .fexit = "fexit_" name,                        \
			  .kprobe = "kprobe_" name, .kretprobe = "kretprobe_" name                 \
	}

_Static_assert(HOOK_INFO_COUNT == HOOK_COUNT, "hook_infos is in the order of enum hook_id");

const struct hook hook_table[HOOK_COUNT] = {
	[HOOK_SUBMIT] = {"iscsi_queuecommand", .fentry = "fentry_submit", .kprobe = "kprobe_submit",
			 .kprobe_claim = "kprobe_submit_claim"},
	[HOOK_DEQUEUE] = ENTRY("iscsi_tcp_task_init", "dequeue"),
	/* Its kretprobe has no arguments left and needs a kprobe beside it, its fexit has them. */
	[HOOK_SENT] = {"iscsi_tcp_task_xmit", .fexit = "fexit_sent", .kprobe = "kprobe_send",
		       .kretprobe = "kretprobe_sent"},
	[HOOK_R2T] = ENTRY("iscsi_requeue_task", "r2t"),
	[HOOK_RESPONSE] = ENTRY("iscsi_tcp_hdr_recv_done", "response"),
	[HOOK_COMPLETE] = ENTRY("iscsi_complete_task", "complete"),
	[HOOK_CLEANUP] = ENTRY("iscsi_tcp_cleanup_task", "cleanup"),
	[HOOK_REFUSED] = {.tracepoint = "tracepoint_refused",
			  .tracepoint_name = "scsi_dispatch_cmd_error"},
	[HOOK_LOGIN] = ENTRY("iscsi_conn_start", "login"),
	[HOOK_LOGOUT] = ENTRY("iscsi_remove_session", "logout"),
	[HOOK_CONN_ERROR] = ENTRY("iscsi_conn_error_event", "conn_error"),
	[HOOK_CONN_STOP] = ENTRY("iscsi_conn_stop", "conn_stop"),
	[HOOK_BLOCK] = ENTRY("__iscsi_block_session", "block"),
	[HOOK_UNBLOCK] = ENTRY("__iscsi_unblock_session", "unblock"),
	[HOOK_RECOVERY_TIMEOUT] = ENTRY("iscsi_session_recovery_timedout", "recovery_timeout"),
	[HOOK_ABORT] = ENTRY_AND_RETURN("iscsi_eh_abort", "abort"),
	[HOOK_LUN_RESET] = ENTRY_AND_RETURN("iscsi_eh_device_reset", "lun_reset"),
	[HOOK_TARGET_RESET] = ENTRY_AND_RETURN("iscsi_eh_recover_target", "target_reset"),
	[HOOK_SESSION_RESET] = ENTRY_AND_RETURN("iscsi_eh_session_reset", "session_reset"),
};

/*
 * The end of a command is hooked first and its start last, so that none is seen starting whose end
 * would be missed; of a session, what ends a state before what begins it.
 */
const enum hook_id hook_order[HOOK_COUNT] = {
	HOOK_UNBLOCK, HOOK_RECOVERY_TIMEOUT, HOOK_LOGOUT,	 HOOK_BLOCK,	    HOOK_CONN_STOP,
	HOOK_LOGIN,   HOOK_CONN_ERROR,	     HOOK_SESSION_RESET, HOOK_TARGET_RESET, HOOK_LUN_RESET,
	HOOK_ABORT,   HOOK_CLEANUP,	     HOOK_COMPLETE,	 HOOK_RESPONSE,	    HOOK_R2T,
	HOOK_SENT,    HOOK_DEQUEUE,	     HOOK_REFUSED,	 HOOK_SUBMIT,
};

const char *hook_name(enum hook_id id)
{
	const struct hook *hook = &hook_table[id];

	return hook->function ? hook->function : hook->tracepoint_name;
}
