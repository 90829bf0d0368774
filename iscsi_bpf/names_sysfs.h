/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Single facts out of sysfs. What has just gone there is empty, never an error. */
#ifndef STORPROTOTRACE_NAMES_SYSFS_H
#define STORPROTOTRACE_NAMES_SYSFS_H

#include <limits.h>
#include "common/reading.h"

/* `out` is "folder/name". 0 or -ENAMETOOLONG. */
int sysfs_join(char out[PATH_MAX], const char *folder, const char *name);

/*
 * The first line of folder/name without its newline. Empty when it cannot be read, and for
 * "(null)", which the kernel prints for a name that was never set.
 */
void sysfs_text(const char *folder, const char *name, char *out, size_t out_size);

/* The number in folder/name; 0 when there is none that 32 bits can hold. */
uint32_t sysfs_number(const char *folder, const char *name);

/*
 * Calls `entry` per entry of the folder (not . and ..) until it returns something else than 0,
 * which is returned. A folder that is not there has no entries. 0 or -errno.
 */
int sysfs_each(const char *folder, int (*entry)(void *arg, const char *folder, const char *name),
	       void *arg);

/*
 * A session's target and initiator from its class folder; the initiator is that of Scsi_Host
 * `host` where the session has none (offload cards). `root`: where sysfs is.
 */
void sysfs_session(const char *root, const char *folder, uint32_t host, struct session_name *out);

/* The driver of Scsi_Host `host`: "iscsi_tcp", "iser", ...; empty when unknown. */
void sysfs_transport(const char *root, uint32_t host, char *out, size_t out_size);

/* A connection's portal, "addr:port" or "[v6addr]:port"; empty when it has none yet. */
void sysfs_portal(const char *folder, char *out, size_t out_size);

/* Disk, device number and multipath map of a SCSI device (folder H:C:T:L); empty: has none. */
void sysfs_lun(const char *root, const char *folder, struct lun_name *out);

/*
 * The multipath map above a LUN's known disk, into lun->dm and lun->mpath. 0, or -ENOENT when the
 * SCSI device has no such disk (any more).
 */
int sysfs_holders(const char *root, const char *folder, struct lun_name *lun);

/*
 * The kernel's name of block device major:minor, for a partition that of its disk.
 * 0 or -ENOENT.
 */
int sysfs_disk(const char *root, unsigned int major, unsigned int minor, char *out,
	       size_t out_size);

#endif
