// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Walks through sysfs and takes over what it says about sessions and LUNs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "iscsi_bpf/names_known.h"
#include "iscsi_bpf/names_sysfs.h"

/* The session whose folders are being looked at. */
struct session_scan {
	struct names *names;
	uint32_t sid;
};

/* A name that went while the session or LUN is still there is about to be removed: keep it. */
static void keep_or_take(char *known, const char *seen, size_t size)
{
	if (seen[0])
		memcpy(known, seen, size);
}

/* Takes over what was seen; a session id used again by another target starts afresh. */
static void session_update(struct names *names, struct known_session *known,
			   const struct session_name *seen)
{
	struct session_name *name = &known->name;

	if (name->target[0] && seen->target[0] && strcmp(name->target, seen->target) != 0) {
		*name = (struct session_name){.sid = name->sid};
		known_luns_drop(names, name->sid);
	}
	keep_or_take(name->target, seen->target, sizeof(name->target));
	keep_or_take(name->initiator, seen->initiator, sizeof(name->initiator));
	known->seen = names->refresh;
}

/* Most LUNs are as they were: then only what is above the disk is looked at. */
static void lun_update(const char *root, const char *folder, struct lun_name *name)
{
	struct lun_name seen = *name;

	if (!seen.disk[0] || sysfs_holders(root, folder, &seen))
		sysfs_lun(root, folder, &seen);
	/* No disk: it has none, or is about to go and keeps its name. */
	if (seen.disk[0])
		*name = seen;
}

/* An entry H:C:T:L of a SCSI target's folder. */
static int see_lun(void *arg, const char *folder, const char *entry)
{
	struct session_scan *scan = arg;
	unsigned long long number;
	struct known_lun *known;
	char path[PATH_MAX];
	int end = 0;

	if (sscanf(entry, "%*u:%*u:%*u:%llu%n", &number, &end) != 1 || entry[end] ||
	    sysfs_join(path, folder, entry))
		return 0;
	known = known_lun_get(scan->names, scan->sid, number);
	if (!known)
		return -ENOMEM;
	known->seen = scan->names->refresh;
	lun_update(scan->names->root, path, &known->name);
	known->name.queue_depth = sysfs_number(path, "queue_depth");
	return 0;
}

/* An entry of a session's folder: SCSI targets are wanted. */
static int see_target(void *arg, const char *folder, const char *entry)
{
	unsigned int host;
	char path[PATH_MAX];

	if (sscanf(entry, "target%u:", &host) != 1 || sysfs_join(path, folder, entry))
		return 0;
	return sysfs_each(path, see_lun, arg);
}

/* Number of the host in a session's folder .../hostH/sessionN. */
static uint32_t host_of(const char *device)
{
	uint32_t host, sid;

	for (const char *at = strstr(device, "/host"); at; at = strstr(at + 1, "/host"))
		if (sscanf(at, "/host%u/session%u", &host, &sid) == 2)
			return host;
	return HOST_UNKNOWN;
}

static int see_session(void *arg, const char *folder, const char *entry)
{
	struct names *names = arg;
	struct session_scan scan = {.names = names};
	struct session_name seen = {0};
	struct known_session *known;
	cleanup_free char *device = NULL;
	char path[PATH_MAX], link[PATH_MAX];
	int end = 0;

	if (sscanf(entry, "session%u%n", &scan.sid, &end) != 1 || entry[end])
		return 0;
	if (sysfs_join(path, folder, entry) || sysfs_join(link, path, "device"))
		return -ENAMETOOLONG;
	known = known_session_get(names, scan.sid);
	if (!known)
		return -ENOMEM;
	device = realpath(link, NULL);
	if (device)
		known->host = host_of(device);
	if (!known->transport[0])
		sysfs_transport(names->root, known->host, known->transport,
				sizeof(known->transport));
	sysfs_session(names->root, path, known->host, &seen);
	session_update(names, known, &seen);
	return device ? sysfs_each(device, see_target, &scan) : 0;
}

static int see_connection(void *arg, const char *folder, const char *entry)
{
	struct names *names = arg;
	struct known_session *known;
	char path[PATH_MAX], portal[ISCSI_PORTAL_SIZE];
	uint32_t sid, cid;
	int end = 0;

	if (sscanf(entry, "connection%u:%u%n", &sid, &cid, &end) != 2 || entry[end])
		return 0;
	known = known_session_find(names, sid);
	if (!known || sysfs_join(path, folder, entry))
		return 0;
	sysfs_portal(path, portal, sizeof(portal));
	known->name.cid = cid;
	keep_or_take(known->name.portal, portal, sizeof(portal));
	return 0;
}

int names_refresh(struct names *names)
{
	char path[PATH_MAX];
	int err;

	names->refresh++;
	err = sysfs_join(path, names->root, "class/iscsi_session");
	if (!err)
		err = sysfs_each(path, see_session, names);
	if (!err)
		err = sysfs_join(path, names->root, "class/iscsi_connection");
	if (!err)
		err = sysfs_each(path, see_connection, names);
	if (!err)
		names->complete = names->refresh;
	return err;
}
