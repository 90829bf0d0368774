/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where the kernel's structure members lie on this host: the resolver behind struct kernel_layout. */
#ifndef STORPROTOTRACE_LAYOUT_H
#define STORPROTOTRACE_LAYOUT_H

#include <stdbool.h>
#include "common/options.h"
#include "iscsi_bpf/declarations.h"
#include "iscsi_bpf/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

struct btf;

/* What describes the running kernel's structures. BTF is owned. */
struct kernel_btf {
	struct btf *vmlinux;
	struct btf *libiscsi;     /* NULL: the module has none of its own */
	struct btf *libiscsi_tcp; /* NULL: the same */
	struct btf *transport;    /* of scsi_transport_iscsi; NULL: the same */
	/* What is declared of structures no BTF has; 0: nothing, BTF has them all. */
	enum era era;
	bool from_files; /* modules' BTF is the user's: nothing says that it is that of these modules */
};

enum layout_module {
	MODULE_LIBISCSI,
	MODULE_LIBISCSI_TCP,
};

/* Where an offset comes from: the rungs of the ladder. */
enum layout_rung {
	RUNG_MODULE_BTF,
	RUNG_KERNEL_BTF, /* the structure is built in, or the kernel's own */
	RUNG_COMPUTED,	 /* by C's rules from its declaration */
	RUNG_NONE,
};

/*
 * Reads BTF from /sys/kernel/btf: the kernel's, and that of modules unless the options say to do
 * without or name files for it. 0 or -errno, said on stderr: -EOPNOTSUPP this kernel has no BTF, or
 * a file is none that belongs to it. Which of the modules have any is seen in *btf.
 */
int kernel_btf_open(struct kernel_btf *btf, const struct options *options);
void kernel_btf_close(struct kernel_btf *btf);

/* Does BTF describe the modules' structures (so that `era` is not needed)? */
bool kernel_btf_has_modules(const struct kernel_btf *btf);

/*
 * Fills *out: each member from the first rung that has its structure, the named module's BTF first
 * (never "any module": the target's modules have structures of the same names).
 * 0, or -ENOENT after saying on stderr which member is missing.
 */
int layout_resolve(const struct kernel_btf *btf, struct kernel_layout *out);

/* The same for what events of sessions need; 0, or -ENOENT after saying so to who asked for -v. */
int layout_resolve_session(const struct kernel_btf *btf, struct kernel_layout *out);

/*
 * The offset of one member the same way. -ENOENT: nothing has it. `rung` and `is_pointer` (is the
 * member a pointer?) may be NULL.
 */
int layout_find(const struct kernel_btf *btf, enum layout_module module, const char *type,
		const char *path, enum layout_rung *rung, bool *is_pointer);

/* sizeof(struct request): its scsi_cmnd follows it. 0: not in BTF. */
uint32_t layout_request_size(const struct kernel_btf *btf);

/* "module BTF", "kernel BTF", "computed" */
const char *layout_rung_name(enum layout_rung rung);

/*
 * Byte offset of a member, e.g. "sdb.length" of "scsi_cmnd", through anonymous members too.
 * -ENOENT when there is none. `out_type`, unless NULL: the member's type id.
 */
int layout_member(const struct btf *btf, const char *type, const char *path, int *out_type);

#ifdef __cplusplus
}
#endif

#endif
