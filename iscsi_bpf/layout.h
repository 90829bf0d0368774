/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where the kernel's structure members lie on this host: the resolver behind struct kernel_layout. */
#ifndef STORPROTOTRACE_LAYOUT_H
#define STORPROTOTRACE_LAYOUT_H

#include "iscsi_bpf/wire.h"

struct btf;

/* BTF of the running kernel and of the modules hooked; owned. */
struct kernel_btf {
	struct btf *vmlinux;
	struct btf *libiscsi;
	struct btf *libiscsi_tcp;
};

/*
 * Reads BTF from /sys/kernel/btf. A module without BTF of its own (built in) is looked for in
 * vmlinux's. 0 or -errno: -ENOENT this kernel has no BTF, -ENODATA not for these modules.
 */
int kernel_btf_open(struct kernel_btf *btf);
void kernel_btf_close(struct kernel_btf *btf);

/*
 * Fills *out from the named module's BTF (never from "any module": the target's modules have
 * structures of the same names). 0, or -ENOENT after saying on stderr which member is missing.
 */
int layout_resolve(const struct kernel_btf *btf, struct kernel_layout *out);

/*
 * Byte offset of a member, e.g. "sdb.length" of "scsi_cmnd", through anonymous members too.
 * -ENOENT when there is none. `out_type`, unless NULL: the member's type id.
 */
int layout_member(const struct btf *btf, const char *type, const char *path, int *out_type);

#endif
