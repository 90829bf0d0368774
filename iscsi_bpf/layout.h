/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where the kernel's structure members lie on this host: the resolver behind struct kernel_layout.
 */
#ifndef STORPROTOTRACE_LAYOUT_H
#define STORPROTOTRACE_LAYOUT_H

#include <stdbool.h>
#include "iscsi_bpf/kernel_btf.h"
#include "iscsi_bpf/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

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
 * Byte offset of a member, e.g. "sdb.length", of the structure that has this type id, through
 * anonymous members too. -ENOENT when there is none. `out_type`, unless NULL: the member's type id.
 */
int layout_member(const struct btf *btf, int id, const char *path, int *out_type);

#ifdef __cplusplus
}
#endif

#endif
