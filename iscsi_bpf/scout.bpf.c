// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Gives the loader a device's address, and lets it look at kernel memory. */
#include "iscsi_bpf/addon_bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* The loader's PID namespace and its pid in there: only its own reads count. */
const volatile __u64 cfg_pidns_device;
const volatile __u64 cfg_pidns_inode;
const volatile __u32 cfg_pid;

__u64 kobject; /* of the device whose attribute was read last */
__u64 value;   /* what peek() read */

/* An attribute of a device is read through sysfs; called through a pointer, so never inlined. */
SEC("kprobe/dev_attr_show")
int BPF_KPROBE(scout_show, __u64 shown)
{
	struct bpf_pidns_info self;

	if (!bpf_get_ns_current_pid_tgid(cfg_pidns_device, cfg_pidns_inode, &self, sizeof(self)) &&
	    self.tgid == cfg_pid)
		kobject = shown;
	return 0;
}

/* Run by the loader, never attached: reads the 8 bytes at args[0]. 0: they could be read. */
SEC("raw_tp")
int peek(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 read = 0;
	int err = bpf_probe_read_kernel(&read, sizeof(read), (const void *)ctx->args[0]);

	value = read;
	return err != 0;
}
