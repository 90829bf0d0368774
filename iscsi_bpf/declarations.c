/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Members of the structures of libiscsi, libiscsi_tcp, scsi_transport_iscsi and the SCSI layer.
 * The tests compare what follows from them with the BTF of kernels that have it, and with offsets
 * measured in debug information where there is none.
 */
#include <string.h>
#include "iscsi_bpf/declarations.h"

#define ALL	   (ERA_5_10 | SINCE_6_1)
#define SINCE_6_1  (ERA_6_1 | SINCE_6_12)
#define SINCE_6_12 (ERA_6_12 | SINCE_6_18)
#define SINCE_6_18 (ERA_6_18 | ERA_7_2)

/* clang-format off */
const struct era_mark era_marks[ERA_COUNT] = {
	{ ERA_7_2, "7.2", "iscsi_conn_queue_xmit", NULL },
	{ ERA_6_18, "6.18", "iscsi_conn_queue_xmit", NULL },
	{ ERA_6_12, "6.12", "iscsi_conn_queue_xmit", NULL },
	{ ERA_6_1, "6.1", "iscsi_conn_queue_xmit", NULL },
	{ ERA_5_10, "5.10", "iscsi_conn_queue_work", "scsi_done" },
};

/* The same from 4.18 on, without any embedded type that could change its size. */
#define ISCSI_TASK \
	"ptr hdr; u16 hdr_max; u16 hdr_len; u32 hdr_itt; u32 cmdsn; u8 lun[8]; int itt;" \
	"u32 imm_count; iscsi_r2t_info unsol_r2t; ptr data; u32 data_count; ptr sc; ptr conn;" \
	"long last_xfer; long last_timeout; bool have_checked_conn; bool protected; int state;" \
	"u32 refcount; ptr running[2]; ptr dd_data;"

#define ISCSI_CONN_HEAD \
	"ptr cls_conn; ptr dd_data; ptr session; int stop_stage; timer_list transport_timer;" \
	"long last_recv; long last_ping; int ping_timeout; int recv_timeout; ptr ping_task;" \
	"u32 exp_statsn; u32 statsn; int id; int c_stage; ptr data; ptr login_task; ptr task;"
#define ISCSI_CONN_TAIL \
	"u32 max_recv_dlength; u32 max_xmit_dlength; int hdrdgst_en; int datadgst_en;" \
	"int ifmarker_en; int ofmarker_en; int persistent_port; ptr persistent_address;"

#define ISCSI_SESSION_HEAD \
	"ptr cls_session; mutex eh_mutex; wait_queue_head ehwait; iscsi_tm tmhdr;" \
	"timer_list tmf_timer; int tmf_state;"
#define ISCSI_SESSION_TAIL \
	"u32 cmdsn; u32 exp_cmdsn; u32 max_cmdsn; u32 queued_cmdsn; int abort_timeout;" \
	"int lu_reset_timeout; int tgt_reset_timeout; int initial_r2t_en; u16 max_r2t;" \
	"int imm_data_en; u32 first_burst; u32 max_burst; int time2wait; int time2retain;" \
	"int pdu_inorder_en; int dataseq_inorder_en; int erl; int fast_abort; int tpgt;" \
	"ptr username; ptr username_in; ptr password; ptr password_in; ptr targetname;" \
	"ptr targetalias; ptr ifacename; ptr initiatorname; ptr boot_root; ptr boot_nic;" \
	"ptr boot_target; ptr portal_type; ptr discovery_parent_type; u16 discovery_parent_idx;" \
	"u16 def_taskmgmt_tmo; u16 tsid; u8 auto_snd_tgt_disable; u8 discovery_sess;" \
	"u8 chap_auth_en; u8 discovery_logout_en; u8 bidi_chap_en; u8 discovery_auth_optional;" \
	"u8 isid[6]; ptr tt; ptr host; ptr leadconn; spinlock_t frwd_lock; spinlock_t back_lock;" \
	"int state; int age; int scsi_cmds_max; int cmds_max; ptr cmds;" \
	"iscsi_pool cmdpool;"

#define ISCSI_CLS_SESSION_HEAD \
	"list_head sess_list; ptr transport; spinlock_t lock; work_struct block_work;" \
	"work_struct unblock_work; work_struct scan_work; work_struct unbind_work;" \
	"work_struct destroy_work; int recovery_tmo; bool recovery_tmo_sysfs_override;" \
	"delayed_work recovery_work;"
#define ISCSI_CLS_SESSION_TAIL \
	"u32 target_id; bool ida_used; int creator; int state; int target_state; int sid;" \
	"ptr dd_data; device dev;"

#define SCSI_DEVICE_HEAD \
	"ptr host; ptr request_queue; list_head siblings; list_head same_target_siblings;"
#define SCSI_DEVICE_MIDDLE \
	"atomic_t device_blocked; atomic_t restarts; spinlock_t list_lock;" \
	"list_head starved_entry; u16 queue_depth; u16 max_queue_depth;" \
	"u16 last_queue_full_depth; u16 last_queue_full_count; long last_queue_full_time;" \
	"long queue_ramp_up_period; long last_queue_ramp_up; u32 id; u32 channel; u64 lun;" \
	"u32 manufacturer; u32 sector_size; ptr hostdata; u8 type; u8 scsi_level;" \
	"u8 inq_periph_qual; mutex inquiry_mutex; u8 inquiry_len; ptr inquiry;"
#define SCSI_DEVICE_NAMES "ptr vendor; ptr model; ptr rev;"
#define SCSI_DEVICE_NAMES_7_2 "u8 vendor[9]; u8 model[17]; u8 rev[5];"
/* The flags are bit fields: 33 to 64 of them, two words. */
#define SCSI_DEVICE_FLAGS "ptr sdev_target; u64 sdev_bflags; u32 eh_timeout; u32 flags[2];"
#define SCSI_DEVICE_EVENTS \
	"atomic_t disk_events_disable_depth; long supported_events; long pending_events;" \
	"list_head event_list; work_struct event_work; u32 max_device_blocked;" \
	"atomic_t iorequest_cnt; atomic_t iodone_cnt; atomic_t ioerr_cnt;"
#define SCSI_DEVICE_QUEUE "u32 queue_stopped; bool offline_already;"
#define SCSI_DEVICE_ATTENTION "atomic_t ua_new_media_ctr; atomic_t ua_por_ctr;"
#define SCSI_DEVICE_TAIL SCSI_DEVICE_EVENTS "atomic_t iotmo_cnt; device sdev_gendev;"

static const struct declaration declarations[] = {
	{ "iscsi_task", ALL, ISCSI_TASK },
	{ "iscsi_r2t_info", ALL,
	  "u32 ttt; u32 exp_statsn; u32 data_length; u32 data_offset; int data_count; int datasn;"
	  "int sent;" },

	/* 5.15 added recvwork and made flags of suspend_*; taskqueuelock went with 5.14. */
	{ "iscsi_conn", SINCE_6_1, ISCSI_CONN_HEAD
	  "list_head mgmtqueue; list_head cmdqueue; list_head requeue; work_struct xmitwork;"
	  "work_struct recvwork; long flags;" ISCSI_CONN_TAIL },
	{ "iscsi_conn", ERA_5_10, ISCSI_CONN_HEAD
	  "spinlock_t taskqueuelock; list_head mgmtqueue; list_head cmdqueue; list_head requeue;"
	  "work_struct xmitwork; long suspend_tx; long suspend_rx;" ISCSI_CONN_TAIL },

	/* 5.14 added running_aborted_task. */
	{ "iscsi_session", SINCE_6_1,
	  ISCSI_SESSION_HEAD "ptr running_aborted_task;" ISCSI_SESSION_TAIL },
	{ "iscsi_session", ERA_5_10, ISCSI_SESSION_HEAD ISCSI_SESSION_TAIL },
	{ "iscsi_tm", ALL, "u32 header[12];" },

	/* 5.1x stable releases after 5.10 added workq. */
	{ "iscsi_cls_session", SINCE_6_1,
	  ISCSI_CLS_SESSION_HEAD "ptr workq;" ISCSI_CLS_SESSION_TAIL },
	{ "iscsi_cls_session", ERA_5_10, ISCSI_CLS_SESSION_HEAD ISCSI_CLS_SESSION_TAIL },

	{ "iscsi_cls_conn", ALL,
	  "list_head conn_list; ptr dd_data; ptr transport; u32 cid; mutex ep_mutex; ptr ep;"
	  "spinlock_t lock; long flags; work_struct cleanup_work; device dev; int state;" },

	{ "iscsi_tcp_task", ALL,
	  "u32 exp_datasn; int data_offset; ptr r2t; iscsi_pool r2tpool; kfifo r2tqueue;" },
	{ "iscsi_tcp_conn", ALL, "ptr iscsi_conn; ptr dd_data; int stop_stage; iscsi_tcp_recv in;" },
	{ "iscsi_tcp_recv", ALL, "ptr hdr; iscsi_segment segment; u32 hdr_buf[64]; int datalen;" },
	{ "iscsi_segment", ALL,
	  "ptr data; u32 size; u32 copied; u32 total_size; u32 total_copied; ptr hash;"
	  "u8 padbuf[4]; u8 recv_digest[4]; u8 digest[4]; u32 digest_len; ptr sg; ptr sg_mapped;"
	  "u32 sg_offset; bool atomic_mapped; ptr done;" },
	{ "iscsi_pool", ALL, "kfifo queue; ptr pool; int max;" },
	{ "kfifo", ALL, "__kfifo kfifo;" },

	/* 5.11 to 5.18 moved the request's part out and the CDB in. */
	{ "scsi_cmnd", SINCE_6_1,
	  "ptr device; list_head eh_entry; delayed_work abort_work; callback_head rcu;"
	  "int eh_eflags; int budget_token; long jiffies_at_alloc; int retries; int allowed;"
	  "u8 prot_op; u8 prot_type; u8 prot_flags; u8 submitter; u16 cmd_len;"
	  "int sc_data_direction; u8 cmnd[32]; scsi_data_buffer sdb; ptr prot_sdb; u32 underflow;"
	  "u32 transfersize; u32 resid_len; u32 sense_len; ptr sense_buffer; int flags;"
	  "long state; u32 extra_len; ptr host_scribble; int result;" },
	{ "scsi_cmnd", ERA_5_10,
	  "scsi_request req; ptr device; list_head eh_entry; delayed_work abort_work;"
	  "callback_head rcu; int eh_eflags; long jiffies_at_alloc; int retries; int allowed;"
	  "u8 prot_op; u8 prot_type; u8 prot_flags; u16 cmd_len; int sc_data_direction; ptr cmnd;"
	  "scsi_data_buffer sdb; ptr prot_sdb; u32 underflow; u32 transfersize; ptr request;"
	  "ptr sense_buffer; ptr scsi_done; scsi_pointer SCp; ptr host_scribble; int result;"
	  "int flags; long state; u8 tag;" },
	{ "scsi_pointer", ERA_5_10,
	  "ptr ptr; int this_residual; ptr buffer; int buffers_residual; dma_addr_t dma_handle;"
	  "int Status; int Message; int have_data_in; int sent_command; int phase;" },
	{ "scsi_data_buffer", ALL, "sg_table table; u32 length;" },

	{ "scsi_device", ERA_7_2, SCSI_DEVICE_HEAD "sbitmap budget_map;"
	  SCSI_DEVICE_MIDDLE SCSI_DEVICE_NAMES_7_2 "ptr vpd[8];" SCSI_DEVICE_FLAGS
	  SCSI_DEVICE_QUEUE SCSI_DEVICE_ATTENTION SCSI_DEVICE_TAIL },
	{ "scsi_device", ERA_6_18, SCSI_DEVICE_HEAD "sbitmap budget_map;"
	  SCSI_DEVICE_MIDDLE SCSI_DEVICE_NAMES "ptr vpd[8];" SCSI_DEVICE_FLAGS
	  SCSI_DEVICE_QUEUE SCSI_DEVICE_ATTENTION SCSI_DEVICE_TAIL },
	{ "scsi_device", ERA_6_12, SCSI_DEVICE_HEAD "sbitmap budget_map;"
	  SCSI_DEVICE_MIDDLE SCSI_DEVICE_NAMES "ptr vpd[8];" SCSI_DEVICE_FLAGS
	  SCSI_DEVICE_QUEUE SCSI_DEVICE_TAIL },
	{ "scsi_device", ERA_6_1, SCSI_DEVICE_HEAD "sbitmap budget_map;"
	  SCSI_DEVICE_MIDDLE SCSI_DEVICE_NAMES "ptr vpd[7];" SCSI_DEVICE_FLAGS
	  SCSI_DEVICE_QUEUE SCSI_DEVICE_TAIL },
	{ "scsi_device", ERA_5_10, SCSI_DEVICE_HEAD "atomic_t device_busy;"
	  SCSI_DEVICE_MIDDLE SCSI_DEVICE_NAMES "ptr vpd[4];" SCSI_DEVICE_FLAGS
	  "bool offline_already;" SCSI_DEVICE_EVENTS "device sdev_gendev;" },
};
/* clang-format on */

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

const struct declaration *declaration_find(const char *structure, enum era era)
{
	for (size_t i = 0; i < ARRAY_SIZE(declarations); i++)
		if ((declarations[i].eras & era) && !strcmp(declarations[i].structure, structure))
			return &declarations[i];
	return NULL;
}
