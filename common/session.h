/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sessions and LUNs as a reading has them: names and gauges, at the end of the interval. */
#ifndef STORPROTOTRACE_SESSION_H
#define STORPROTOTRACE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

/* RFC 7143 4.2.7.1: an iSCSI name has at most 223 bytes. */
#define ISCSI_NAME_SIZE   224
#define ISCSI_PORTAL_SIZE 272 /* "[address]:port"; an address may be a DNS name (255 bytes) */
#define DISK_NAME_SIZE    32  /* kernel: DISK_NAME_LEN */
#define MPATH_NAME_SIZE   128 /* device-mapper: DM_NAME_LEN */

/* NOP-Outs of this host that ended in one interval: answered, or lost. */
struct nop_sums {
	uint64_t count;  /* answered */
	uint64_t sum_ns; /* of their round trips, from the transmit worker to the answer's header */
	uint64_t max_ns;
	uint64_t lost;   /* the connection was given up, or the next one sent, without an answer */
};

/* A session with its one connection, as sysfs names it. */
struct session_name {
	uint32_t sid;
	uint32_t cid;
	char target[ISCSI_NAME_SIZE];
	char initiator[ISCSI_NAME_SIZE];
	char portal[ISCSI_PORTAL_SIZE]; /* "addr:port" or "[v6addr]:port" */
	uint32_t cmds_max;     /* tasks, kernel: iscsi_session.cmds_max; 0: unknown */
	uint32_t cmdsn_window; /* free places: MaxCmdSN - CmdSN of the next command queued + 1 */
	bool window_known;     /* false also while it is not logged in */
	struct nop_sums nops;
};

/* A LUN of a session and the devices above it; an empty string is "has none". */
struct lun_name {
	uint32_t sid;
	uint64_t lun;
	char disk[DISK_NAME_SIZE];   /* "sda" */
	char devno[16];              /* "8:0" */
	char dm[DISK_NAME_SIZE];     /* "dm-0": the multipath map above it */
	char mpath[MPATH_NAME_SIZE]; /* its name: "mpatha" */
	uint32_t queue_depth;        /* commands the SCSI layer lets it have; 0: unknown */
};

#endif
