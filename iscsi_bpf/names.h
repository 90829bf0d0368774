/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sessions, connections, portals and disks as sysfs names them. */
#ifndef STORPROTOTRACE_NAMES_H
#define STORPROTOTRACE_NAMES_H

#include "common/reading.h"

/*
 * Names are kept from first sight until forgotten: a session that logged out in an interval still
 * has its names for that interval's report.
 */
struct names;

/* `root`: where sysfs is, "/sys" (tests re-root it). 0 or -ENOMEM. */
int names_open(const char *root, struct names **out);

/* NULL is fine. */
void names_close(struct names *names);

/*
 * Looks at sysfs again: new sessions and LUNs are added, those that went are marked gone; a sid
 * whose target, initiator or portal differ from before is renamed. A sysfs without iSCSI classes
 * is an empty one. 0 or -errno.
 */
int names_refresh(struct names *names);

/*
 * Copies everything known, including what went since the last names_forget(); what the reading has
 * of a session's NOPs stays. 0 or -ENOMEM.
 */
int names_copy(const struct names *names, struct reading *r);

/* Drops what is gone. */
void names_forget(struct names *names);

/* Did the last refresh still see the session? */
bool names_has_session(const struct names *names, uint32_t sid);

/* Scsi_Host number of a session (hostN in sysfs); -ENOENT when unknown. */
int names_host(const struct names *names, uint32_t sid, uint32_t *out);

/*
 * The driver a session goes through, "iscsi_tcp", "iser", ...; empty when unknown. Owned by the
 * names, good until the next refresh.
 */
const char *names_transport(const struct names *names, uint32_t sid);

/*
 * The kernel's name of a disk the user named: "/dev/sda", a by-id link, "sda", "8:0", "dm-0",
 * "/dev/mapper/mpatha" or "mpatha" -> "sda", "8:0", "dm-0" or the name itself when it is none of
 * these. Existence is not checked (the disk may appear later). `out_size` > 0.
 */
void names_resolve_disk(const char *spec, char *out, size_t out_size);

#endif
