/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the kernel side adds up per key; the same bytes are read by the user side. */
#ifndef STORPROTOTRACE_SUMS_H
#define STORPROTOTRACE_SUMS_H

#include <linux/types.h>
#include "common/lat_hist.h"
#include "common/stage.h"

/* In a histogram key: not split by LUN. No LUN has this number. */
#define LUN_ANY (~0ULL)

/* Whose commands: the finest split that exists. */
struct sums_key {
	__u32 sid;       /* session, as in /sys/class/iscsi_session/session<sid> */
	__u32 cid;       /* connection within it; Linux has one, 0 */
	__u64 lun;       /* as Linux shows it (scsi_device.lun) */
	__u8 op;         /* enum iscsi_op */
	__u8 size_class; /* enum iscsi_size_class; SIZE_ALL unless asked for */
	__u8 pad[6];     /* zero: the bytes are hashed */
};

struct stage_sum {
	__u64 sum_ns;
	__u64 max_ns;
};

/* Counters of the commands that ended within one interval (attempts: that happened in it). */
struct sums {
	__u64 ios;           /* commands ended: = good + status_errors + host_errors */
	__u64 pdus;          /* attempts dequeued for sending: equals growth of scsicmd_pdus */
	__u64 bytes;         /* transferred: data length - residual */
	__u64 good;          /* commands whose last result was 0 */
	__u64 status_errors; /* commands ended with a SCSI status other than GOOD (host byte 0) */
	__u64 host_errors;   /* commands ended with a host byte (DID_*) other than 0 */
	__u64 refused;       /* attempts that iscsi_queuecommand refused (target busy) */
	__u64 refused_window;  /* of these: the target's CmdSN window was closed */
	__u64 refused_no_task; /* of these: no task was free */
	__u64 no_task;       /* attempts ended inside iscsi_queuecommand, no task was made */
	__u64 retries;       /* attempts made again after a task of the command had failed */
	__u64 aborted;       /* attempts ended by a task management function (ABRT_TMF) */
	__u64 disrupted;     /* attempts ended by session recovery (ABRT_SESS_RECOV) */
	__u64 r2ts;          /* R2Ts accepted for the commands that ended */
	__u64 no_block;      /* commands whose request carried no start time: block unknown */
	struct stage_sum stage[STAGE_COUNT];
	__u64 phase_max_ns[PHASE_COUNT];
};

/* One histogram per stage, in lat_hist_bucket() buckets. */
struct hists {
	__u32 bucket[STAGE_COUNT][LAT_HIST_BUCKETS];
};

#ifndef __cplusplus
_Static_assert(sizeof(struct sums_key) == 24, "sums_key has no hidden padding");
_Static_assert(sizeof(struct sums) == 8 * (15 + 2 * STAGE_COUNT + PHASE_COUNT), "sums neither");
_Static_assert(sizeof(struct hists) == 4 * STAGE_COUNT * LAT_HIST_BUCKETS, "hists neither");
#endif

#endif
