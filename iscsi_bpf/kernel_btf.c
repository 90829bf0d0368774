// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads the BTF, and finds types in it by name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include "common/log.h"
#include "iscsi_bpf/kernel_btf.h"

#define TYPE_IDS_MAX 128
#define TYPE_NAME    48

/*
 * BTF is not sorted by name: looking one up goes through some hundred thousand types, and the same
 * few are wanted hundreds of times.
 */
struct type_ids {
	struct {
		char name[TYPE_NAME];
		uint32_t kind;
		int id;
	} known[TYPE_IDS_MAX];
	size_t count;
};

/* Split BTF made by pahole, in an ELF file or raw. */
static int read_module_file(const char *path, struct btf *vmlinux, struct btf **out)
{
	if (!path)
		return 0;
	*out = btf__parse_split(path, vmlinux);
	if (*out)
		return 0;
	log_error("--module-btf: %s: not BTF that belongs to this kernel's: %s", path,
		  strerror(errno));
	log_hint("pahole -J --btf_base /sys/kernel/btf/vmlinux FILE makes it of a module with "
		 "debug information");
	return -EOPNOTSUPP;
}

static int read_vmlinux(struct kernel_btf *btf, const char *path)
{
	btf->vmlinux = path ? btf__parse(path, NULL) : btf__load_vmlinux_btf();
	if (btf->vmlinux)
		return 0;
	if (path) {
		log_error("--btf: %s: not BTF: %s", path, strerror(errno));
		log_hint("pahole --btf_encode_detached FILE vmlinux makes it of a kernel with "
			 "debug information");
		return -EOPNOTSUPP;
	}
	log_error("this kernel: unfit for tracing: it has no BTF that can be read");
	log_hint("the kernel needs CONFIG_DEBUG_INFO_BTF, or --btf a file made of its debug "
		 "information");
	return -EOPNOTSUPP;
}

static int read_module_files(struct kernel_btf *btf, const struct options *options)
{
	int err = read_module_file(options->libiscsi_btf, btf->vmlinux, &btf->libiscsi);

	return err ? err
		   : read_module_file(options->libiscsi_tcp_btf, btf->vmlinux, &btf->libiscsi_tcp);
}

int kernel_btf_open(struct kernel_btf *btf, const struct options *options)
{
	int err;

	*btf = (struct kernel_btf){.from_files = options->btf || options->libiscsi_btf ||
						 options->libiscsi_tcp_btf};
	err = read_vmlinux(btf, options->btf);
	if (err)
		return err;
	btf->ids = calloc(1, sizeof(*btf->ids));
	if (btf->from_files)
		return read_module_files(btf, options);
	if (options->no_module_btf)
		return 0;
	btf->libiscsi = btf__load_module_btf("libiscsi", btf->vmlinux);
	btf->libiscsi_tcp = btf__load_module_btf("libiscsi_tcp", btf->vmlinux);
	btf->transport = btf__load_module_btf("scsi_transport_iscsi", btf->vmlinux);
	return 0;
}

void kernel_btf_close(struct kernel_btf *btf)
{
	btf__free(btf->libiscsi);
	btf__free(btf->libiscsi_tcp);
	btf__free(btf->transport);
	btf__free(btf->vmlinux);
	free(btf->ids);
	*btf = (struct kernel_btf){0};
}

bool kernel_btf_has_modules(const struct kernel_btf *btf)
{
	if (btf->libiscsi && btf->libiscsi_tcp)
		return true;
	return kernel_btf_type(btf, "iscsi_tcp_conn", BTF_KIND_STRUCT) > 0;
}

static void remember(struct type_ids *ids, const char *name, uint32_t kind, int id)
{
	if (!ids || ids->count == TYPE_IDS_MAX || strlen(name) >= TYPE_NAME)
		return;
	snprintf(ids->known[ids->count].name, TYPE_NAME, "%s", name);
	ids->known[ids->count].kind = kind;
	ids->known[ids->count++].id = id;
}

int kernel_btf_type(const struct kernel_btf *btf, const char *name, uint32_t kind)
{
	int id;

	for (size_t i = 0; btf->ids && i < btf->ids->count; i++)
		if (btf->ids->known[i].kind == kind && !strcmp(btf->ids->known[i].name, name))
			return btf->ids->known[i].id;
	id = btf__find_by_name_kind(btf->vmlinux, name, kind);
	remember(btf->ids, name, kind, id);
	return id;
}

int kernel_btf_own_type(const struct kernel_btf *btf, const struct btf *module, const char *name,
			uint32_t kind)
{
	__u32 end = module ? btf__type_cnt(module) : 0;

	for (__u32 id = btf__type_cnt(btf->vmlinux); id < end; id++) {
		const struct btf_type *type = btf__type_by_id(module, id);

		if (btf_kind(type) == kind &&
		    !strcmp(btf__name_by_offset(module, type->name_off), name))
			return id;
	}
	return -ENOENT;
}
