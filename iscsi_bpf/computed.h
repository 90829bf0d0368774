/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where members of declared structures lie by C's rules, with the running kernel's type sizes. */
#ifndef STORPROTOTRACE_COMPUTED_H
#define STORPROTOTRACE_COMPUTED_H

#include <stdbool.h>
#include "iscsi_bpf/kernel_btf.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Byte offset of a member, e.g. "sdb.length" of "scsi_cmnd", as declared for btf->era.
 * -ENOENT: there is no such structure or member, or a type in front of it is unknown.
 * `is_pointer`, unless NULL: the member is a pointer; left alone for one that BTF describes.
 */
int computed_member(const struct kernel_btf *btf, const char *structure, const char *path,
		    bool *is_pointer);

#ifdef __cplusplus
}
#endif

#endif
