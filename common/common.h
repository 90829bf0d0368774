/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The published record and what a handler can do with it. */
#ifndef STORPROTOTRACE_COMMON_H
#define STORPROTOTRACE_COMMON_H

#include <stdbool.h>
#include <stdint.h>
#include "common/lat_hist.h"
#include "common/reading.h"
#include "common/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ids that the grouping leaves open are all ones. */
#define ISCSI_SID_ANY UINT32_MAX
#define ISCSI_CID_ANY UINT32_MAX
#define ISCSI_LUN_ANY UINT64_MAX

/* Time of one stage over the commands of a record. */
struct iscsi_stage_time {
	uint64_t sum_ns; /* over all commands that ended in the interval */
	uint64_t max_ns; /* the longest of one command in this interval */
	uint64_t count;  /* commands it is known for; 0 with ios > 0: unknown, not zero */
	bool known;      /* false: the attached hooks cannot tell this stage from the one before */
};

/* Commands of one operation within a record. */
struct iscsi_op_count {
	uint64_t ios;   /* commands */
	uint64_t bytes; /* transferred */
};

/* Histograms of a record: commands per lat_hist_bucket() of each stage. */
struct iscsi_hists {
	uint64_t bucket[STAGE_COUNT][LAT_HIST_BUCKETS];
};

/*
 * One record: the commands of one group (by default one connection) that ended within one
 * interval. The stages add up: the sums of STAGE_BLOCK .. STAGE_DONE give that of STAGE_TOTAL.
 */
struct iscsi_stats {
	/* whose: see `keys` for which of these the grouping determines */
	uint32_t sid;                          /* session id, N of sessionN in sysfs */
	uint32_t cid;                          /* connection id within the session */
	char target_name[ISCSI_NAME_SIZE];     /* iSCSI name, up to 223 bytes (RFC 7143 4.2.7.1) */
	char initiator_name[ISCSI_NAME_SIZE];  /* the same */
	char portal[ISCSI_PORTAL_SIZE];        /* "addr:port", "[v6addr]:port" */
	uint64_t lun;                          /* LUN as Linux shows it */
	char disk[DISK_NAME_SIZE];             /* "sda"; empty: no disk (tape, not attached) */
	char mpath[MPATH_NAME_SIZE];           /* multipath map above the disk; empty: none */
	uint32_t op;                           /* enum iscsi_op; OP_COUNT: all */
	uint32_t size_class;                   /* enum iscsi_size_class; SIZE_ALL: all */
	uint32_t keys;                         /* set of enum group_by: members determined */
	uint32_t keys_asked;                   /* set of enum group_by: what was asked for */

	/* when */
	uint64_t interval_no; /* from 1 */
	uint64_t start_ns;    /* start of the interval, CLOCK_REALTIME */
	uint64_t interval_ns; /* its real length */

	/* how many; fates add up: count = good + status_errors + host_errors */
	uint64_t count;         /* commands ended */
	uint64_t total_bytes;   /* transferred by them: data length - residual */
	uint64_t pdus;          /* SCSI command PDUs: attempts dequeued for sending */
	uint64_t good;          /* last result was 0 */
	uint64_t status_errors; /* last result was a SCSI status (CHECK CONDITION, BUSY, ...) */
	uint64_t host_errors;   /* last result was a host byte (DID_*) */
	uint64_t refused;       /* attempts refused: CmdSN window closed or no free task */
	uint64_t refused_window;  /* of these: the window; 0 in recordings without the reason */
	uint64_t refused_no_task; /* of these: no free task */
	uint64_t no_task;       /* attempts ended inside iscsi_queuecommand (recovery) */
	uint64_t retries;       /* attempts made after a failed task of the same command */
	uint64_t aborted;       /* attempts ended by task management */
	uint64_t disrupted;     /* attempts ended by session recovery */
	uint64_t r2ts;          /* R2Ts accepted */
	struct iscsi_op_count ops[OP_COUNT];
	/* at its end: gauges (UINT64_MAX: unknown), commands not ended by the stage each is in */
	uint64_t cmdsn_window; /* of the session: free places by RFC 7143 4.2.2.1; 0: closed */
	uint64_t cmds_max;     /* of the session: tasks */
	uint64_t queue_depth;  /* of the disk: commands that the SCSI layer lets it have */
	uint64_t inflight;
	struct inflight_stage inflight_stages[STAGE_TOTAL];

	/* how long, in ns; phases: see enum iscsi_phase */
	uint64_t waiting, sending, complete;             /* sums */
	uint64_t max_waiting, max_sending, max_complete; /* of one command */
	struct iscsi_stage_time stages[STAGE_COUNT];
	/* NULL where they were not collected so finely; else valid during the handler's call */
	struct iscsi_hists *hists;
};

/* Age of the oldest in flight, 0: none; UINT64_MAX: an old recording does not tell the stages. */
uint64_t iscsi_oldest_ns(const struct iscsi_stats *stats);

/* "block", "busy", ...: the stage's name in every format; NULL for a number that is no stage. */
const char *iscsi_stage_name(uint32_t stage);

/* "read", "write", "other"; "all" for OP_COUNT; NULL for anything else. */
const char *iscsi_op_name(uint32_t op);

/* "all", "<=4K", "<=16K", "<=64K", "<=256K", "<=1M", ">1M"; NULL for anything else. */
const char *iscsi_size_class_name(uint32_t size_class);

/* This host's share of the total in ns: block + queue + send + data_out + done. */
uint64_t iscsi_host_ns(const struct iscsi_stats *stats);

/* The rest, target and network: busy + r2t + target + data_in. */
uint64_t iscsi_target_net_ns(const struct iscsi_stats *stats);

/* The stage with the largest sum; STAGE_COUNT when no command ended. */
uint32_t iscsi_worst_stage(const struct iscsi_stats *stats);

/*
 * The latency in ns that `percent` (0 < percent <= 100) of the stage's commands did not exceed,
 * within 6.25 % from 1 us to 68 s (the middle of its bucket, never above the stage's maximum).
 * 0 or -ENODATA when there is no command or no histogram.
 */
int iscsi_percentile(const struct iscsi_stats *stats, uint32_t stage, double percent,
		     uint64_t *out_ns);

/*
 * Prints one record on stdout as fixed-width lines; a header when its interval differs from the
 * record printed before. Flushed. NULL prints nothing. A failed write is kept and makes
 * iscsi_stats_ebpf_loop() fail.
 */
void print_stats(struct iscsi_stats *stats);

/*
 * Print the record when it matches. 0: matched and printed; 1: does not match (also for NULL
 * arguments); -errno: writing failed. Names match exactly or as a shell pattern.
 */
int filter_targetname_print_stats(struct iscsi_stats *stats, const char *target_name);
int filter_initiatorname_print_stats(struct iscsi_stats *stats, const char *initiator_name);
int filter_cid_print_stats(struct iscsi_stats *stats, unsigned int cid);
int filter_sid_print_stats(struct iscsi_stats *stats, unsigned int sid);

/*
 * Prints the record when it matches all filters of the command line (options_process()->filter);
 * what its grouping leaves open was filtered before and matches. Returns as above.
 */
int filter_apply(struct iscsi_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
