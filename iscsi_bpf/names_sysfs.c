// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads sessions, portals and disks from sysfs, attribute by attribute. */
#include "iscsi_bpf/names_sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "common/cleanup.h"

int sysfs_join(char out[PATH_MAX], const char *folder, const char *name)
{
	int length = snprintf(out, PATH_MAX, "%s/%s", folder, name);

	return length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

void sysfs_text(const char *folder, const char *name, char *out, size_t out_size)
{
	char path[PATH_MAX];
	cleanup_fd int fd = -1;
	ssize_t length;

	out[0] = '\0';
	if (sysfs_join(path, folder, name))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	length = read(fd, out, out_size - 1);
	out[length > 0 ? length : 0] = '\0';
	out[strcspn(out, "\n")] = '\0';
	if (!strcmp(out, "(null)"))
		out[0] = '\0';
}

uint32_t sysfs_number(const char *folder, const char *name)
{
	char text[16];
	unsigned long long number;
	int end = 0;

	sysfs_text(folder, name, text, sizeof(text));
	if (sscanf(text, "%llu%n", &number, &end) != 1 || text[end] || number > UINT32_MAX)
		return 0;
	return number;
}

static void cleanup_close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

int sysfs_each(const char *folder, int (*entry)(void *arg, const char *folder, const char *name),
	       void *arg)
{
	__attribute__((cleanup(cleanup_close_folder))) DIR *dir = opendir(folder);
	struct dirent *found;
	int err = 0;

	if (!dir)
		return errno == ENOENT || errno == ENOTDIR || errno == ENODEV ? 0 : -errno;
	while (!err && (found = readdir(dir)))
		if (strcmp(found->d_name, ".") && strcmp(found->d_name, ".."))
			err = entry(arg, folder, found->d_name);
	return err;
}

void sysfs_session(const char *root, const char *folder, uint32_t host, struct session_name *out)
{
	char host_folder[PATH_MAX];
	int length;

	sysfs_text(folder, "targetname", out->target, sizeof(out->target));
	sysfs_text(folder, "initiatorname", out->initiator, sizeof(out->initiator));
	if (out->initiator[0])
		return;
	length = snprintf(host_folder, sizeof(host_folder), "%s/class/iscsi_host/host%u", root,
			  host);
	if (length < (int)sizeof(host_folder))
		sysfs_text(host_folder, "initiatorname", out->initiator, sizeof(out->initiator));
}

void sysfs_portal(const char *folder, char *out, size_t out_size)
{
	char address[256], port[8];
	bool v6;

	/* "persistent" is what the user configured; the other may be a redirection's. */
	sysfs_text(folder, "persistent_address", address, sizeof(address));
	sysfs_text(folder, "persistent_port", port, sizeof(port));
	if (!address[0]) {
		sysfs_text(folder, "address", address, sizeof(address));
		sysfs_text(folder, "port", port, sizeof(port));
	}
	v6 = address[0] != '[' && strchr(address, ':');
	if (!address[0] || snprintf(out, out_size, "%s%s%s:%s", v6 ? "[" : "", address,
				    v6 ? "]" : "", port) >= (int)out_size)
		out[0] = '\0';
}

/* Copies the first entry's name. */
static int take_first(void *arg, const char *folder, const char *name)
{
	(void)folder;
	snprintf(arg, DISK_NAME_SIZE, "%.*s", DISK_NAME_SIZE - 1, name);
	return 1;
}

/* What take_multipath() fills. */
struct holder {
	const char *root;
	struct lun_name *lun;
};

/* Other holders are LVM or dm-crypt directly on a path; kpartx maps sit on the multipath map. */
static int take_multipath(void *arg, const char *folder, const char *name)
{
	struct holder *holder = arg;
	char dm_folder[PATH_MAX], uuid[160];
	int length;

	(void)folder;
	length = snprintf(dm_folder, sizeof(dm_folder), "%s/block/%s/dm", holder->root, name);
	if (length >= (int)sizeof(dm_folder))
		return 0;
	sysfs_text(dm_folder, "uuid", uuid, sizeof(uuid));
	if (strncmp(uuid, "mpath-", strlen("mpath-")) != 0)
		return 0;
	take_first(holder->lun->dm, folder, name);
	sysfs_text(dm_folder, "name", holder->lun->mpath, sizeof(holder->lun->mpath));
	return 1;
}

int sysfs_holders(const char *root, const char *folder, struct lun_name *lun)
{
	struct holder holder = {.root = root, .lun = lun};
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/block/%s/holders", folder, lun->disk);

	lun->dm[0] = lun->mpath[0] = '\0';
	if (length >= (int)sizeof(path) || access(path, F_OK))
		return -ENOENT;
	sysfs_each(path, take_multipath, &holder);
	return 0;
}

void sysfs_lun(const char *root, const char *folder, struct lun_name *out)
{
	char block[PATH_MAX], disk[PATH_MAX];

	out->disk[0] = out->devno[0] = out->dm[0] = out->mpath[0] = '\0';
	if (sysfs_join(block, folder, "block") || sysfs_each(block, take_first, out->disk) != 1 ||
	    sysfs_join(disk, block, out->disk))
		return;
	sysfs_text(disk, "dev", out->devno, sizeof(out->devno));
	sysfs_holders(root, folder, out);
}

int sysfs_disk(const char *root, unsigned int major, unsigned int minor, char *out, size_t out_size)
{
	cleanup_free char *folder = NULL;
	char path[PATH_MAX];
	struct stat partition;
	int length;

	length = snprintf(path, sizeof(path), "%s/dev/block/%u:%u", root, major, minor);
	if (length >= (int)sizeof(path))
		return -ENOENT;
	folder = realpath(path, NULL);
	if (!folder)
		return -ENOENT;
	/* A partition's folder is in its disk's. */
	if (!sysfs_join(path, folder, "partition") && !stat(path, &partition))
		*strrchr(folder, '/') = '\0';
	length = snprintf(out, out_size, "%s", strrchr(folder, '/') + 1);
	return length < (int)out_size ? 0 : -ENOENT;
}

void sysfs_transport(const char *root, uint32_t host, char *out, size_t out_size)
{
	char folder[PATH_MAX], name[40];

	out[0] = '\0';
	snprintf(name, sizeof(name), "class/scsi_host/host%u", host);
	if (!sysfs_join(folder, root, name))
		sysfs_text(folder, "proc_name", out, out_size);
}
