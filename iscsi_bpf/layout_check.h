/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Is a layout true? It is compared with live structures whose content sysfs vouches for. */
#ifndef STORPROTOTRACE_LAYOUT_CHECK_H
#define STORPROTOTRACE_LAYOUT_CHECK_H

#include "iscsi_bpf/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads 8 bytes of kernel memory. 0 or -errno. */
struct kernel_view {
	int (*read)(void *arg, uint64_t address, uint64_t *value);
	void *arg;
};

/* Structures of one session whose addresses are known, and what sysfs says of them. */
struct landmarks {
	uint64_t session_device; /* iscsi_cls_session.dev of session `sid` */
	uint64_t conn_device;	 /* iscsi_cls_conn.dev of its connection `cid` */
	uint64_t lun_device;	 /* scsi_device.sdev_gendev of its LUN `lun` */
	uint32_t sid;
	uint32_t cid;
	uint64_t lun;
};

/*
 * Follows the pointers between session, connection, its TCP part, tasks, LUN and SCSI host, which
 * must lead back to where they started, compares ids, and looks for a command among the host's
 * requests. NULL: nothing contradicts the layout;
 * else "structure.member" of the first one that does not hold what it should. Static storage.
 */
const char *layout_contradiction(const struct kernel_btf *btf, const struct kernel_view *view,
				 const struct landmarks *landmarks);

#ifdef __cplusplus
}
#endif

#endif
