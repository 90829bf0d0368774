// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* By capget(2) and capset(2) themselves: libcap would be a dependency for two calls. */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/capability.h>
#include "common/log.h"
#include "iscsi_bpf/privilege.h"

struct capabilities {
	struct __user_cap_header_struct header;
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
};

static struct capabilities none(void)
{
	return (struct capabilities){.header.version = _LINUX_CAPABILITY_VERSION_3};
}

int privilege_check(void)
{
	struct capabilities now = none();

	if (!syscall(SYS_capget, &now.header, now.data) &&
	    now.data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN))
		return 0;
	log_error("tracing on this host: not permitted: CAP_SYS_ADMIN is missing");
	log_hint("run it as root");
	return -EPERM;
}

/* May the map be read without CAP_BPF? Only the effective set is emptied, so it can come back. */
static bool may_read(int map_fd)
{
	struct bpf_map_info info = {0};
	__u32 size = sizeof(info);

	return bpf_obj_get_info_by_fd(map_fd, &info, &size) != -EPERM;
}

static int set(struct capabilities *wanted)
{
	return syscall(SYS_capset, &wanted->header, wanted->data) ? -errno : 0;
}

int privilege_drop(int map_fd)
{
	struct capabilities idle = none(), kept = none();
	int err = syscall(SYS_capget, &idle.header, idle.data) ? -errno : 0;

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		idle.data[i].effective = 0;
	if (!err)
		err = set(&idle);
	if (!err && !may_read(map_fd)) {
		kept.data[CAP_TO_INDEX(CAP_BPF)].effective = CAP_TO_MASK(CAP_BPF);
		kept.data[CAP_TO_INDEX(CAP_BPF)].permitted = CAP_TO_MASK(CAP_BPF);
	}
	if (!err)
		err = set(&kept);
	/* Else root would have all of them again with the next program. */
	if (!err && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err = -errno;
	if (err)
		log_error("capabilities: cannot be given up: %s", strerror(-err));
	else
		log_detail("capabilities: %s", kept.data[CAP_TO_INDEX(CAP_BPF)].effective
						       ? "only CAP_BPF is left"
						       : "all given up");
	return err;
}
