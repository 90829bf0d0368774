/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* BTF of the running kernel and of the iSCSI modules: what describes their structures and
 * functions. */
#ifndef STORPROTOTRACE_KERNEL_BTF_H
#define STORPROTOTRACE_KERNEL_BTF_H

#include <stdbool.h>
#include <stdint.h>
#include "common/options.h"
#include "iscsi_bpf/declarations.h"

#ifdef __cplusplus
extern "C" {
#endif

struct btf;
struct type_ids;

/* All but `era` and `from_files` is owned. */
struct kernel_btf {
	struct btf *vmlinux;
	struct btf *libiscsi;	  /* NULL: the module has none of its own */
	struct btf *libiscsi_tcp; /* NULL: the same */
	struct btf *transport;	  /* of scsi_transport_iscsi; NULL: the same */
	struct type_ids *ids;	  /* vmlinux's types looked up so far; NULL: none is remembered */
	/* What is declared of structures no BTF has; 0: nothing, BTF has them all. */
	enum era era;
	bool from_files; /* some BTF is the user's: nothing says that it is that of this kernel */
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

/* The id of vmlinux's type of that name and kind (BTF_KIND_STRUCT, ...); -ENOENT. */
int kernel_btf_type(const struct kernel_btf *btf, const char *name, uint32_t kind);

/* The same for a module's BTF: of the types that it has beside vmlinux's. `module` may be NULL. */
int kernel_btf_own_type(const struct kernel_btf *btf, const struct btf *module, const char *name,
			uint32_t kind);

#ifdef __cplusplus
}
#endif

#endif
