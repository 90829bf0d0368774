// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The scout's loader. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include "common/cleanup.h"
#include "iscsi_bpf/scout.h"
#include "scout.skel.h"

struct scout {
	struct scout_bpf *skel;
	uint64_t kobj; /* offset of device.kobj */
};

static int load(struct scout *scout)
{
	struct stat pidns;
	int err;

	if (stat("/proc/self/ns/pid", &pidns))
		return -errno;
	scout->skel = scout_bpf__open();
	if (!scout->skel)
		return -errno;
	scout->skel->rodata->cfg_pidns_device = pidns.st_dev;
	scout->skel->rodata->cfg_pidns_inode = pidns.st_ino;
	scout->skel->rodata->cfg_pid = getpid();
	err = scout_bpf__load(scout->skel);
	return err ? err : scout_bpf__attach(scout->skel);
}

int scout_open(const struct kernel_btf *btf, struct scout **out)
{
	int device = kernel_btf_type(btf, "device", BTF_KIND_STRUCT);
	int kobj = layout_member(btf->vmlinux, device, "kobj", NULL), err;
	struct scout *scout;

	if (kobj < 0)
		return kobj;
	scout = calloc(1, sizeof(*scout));
	if (!scout)
		return -ENOMEM;
	scout->kobj = kobj;
	err = load(scout);
	if (err)
		scout_close(scout);
	else
		*out = scout;
	return err;
}

void scout_close(struct scout *scout)
{
	if (!scout)
		return;
	scout_bpf__destroy(scout->skel);
	free(scout);
}

int scout_device(struct scout *scout, const char *folder, uint64_t *address)
{
	cleanup_fd int fd = -1;
	char path[512], text[4096];

	if (snprintf(path, sizeof(path), "%s/uevent", folder) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	scout->skel->bss->kobject = 0;
	if (read(fd, text, sizeof(text)) < 0)
		return -errno;
	if (!scout->skel->bss->kobject)
		return -ENODATA;
	*address = scout->skel->bss->kobject - scout->kobj;
	return 0;
}

int scout_read(void *scout, uint64_t address, uint64_t *value)
{
	const struct scout *s = scout;
	__u64 args[] = {address};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));
	int err = bpf_prog_test_run_opts(bpf_program__fd(s->skel->progs.peek), &opts);

	if (err)
		return err;
	*value = s->skel->bss->value;
	return opts.retval ? -EFAULT : 0;
}
