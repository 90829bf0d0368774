// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks fentry functions up in the named modules' BTF and tells libbpf, by handlers of sections. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/fentry.h"
#include "iscsi_stats.skel.h"

/* As in SEC() of the programs. libbpf's own names stay libbpf's. */
#define SECTION_FENTRY "module_fentry/"
#define SECTION_FEXIT  "module_fexit/"

#define MODULES 3

/* Of a program loaded: instructions and stack. BPF_LOG_STATS in kernel/bpf */
#define VERIFIER_STATISTICS 4

/* Where programs go that are being loaded. */
struct aim {
	const struct kernel_btf *btf;
	int fd[MODULES]; /* the kernel's BTF objects of the modules; 0: it has none */
};

/* libbpf's handlers are given nothing of the load that they are called for. */
static __thread const struct aim *loading;

static const struct btf *module_btf(const struct kernel_btf *btf, int module)
{
	return module == 0 ? btf->libiscsi : module == 1 ? btf->libiscsi_tcp : btf->transport;
}

/* The function's type id, and in which module's BTF it is; MODULES: the kernel's. -ENOENT. */
static int find(const struct kernel_btf *btf, const char *function, int *module)
{
	for (*module = 0; *module < MODULES; ++*module) {
		int id =
			kernel_btf_own_type(btf, module_btf(btf, *module), function, BTF_KIND_FUNC);

		if (id >= 0)
			return id;
	}
	return kernel_btf_type(btf, function, BTF_KIND_FUNC);
}

bool fentry_possible(const struct kernel_btf *btf, const char *function)
{
	int module;

	/* Of a user's file the kernel knows nothing. */
	return !btf->from_files && find(btf, function, &module) >= 0;
}

static int prepare_load(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	const char *function = strchr(bpf_program__section_name(prog), '/') + 1;
	int module, id = loading ? find(loading->btf, function, &module) : -ENOENT;

	(void)cookie;
	if (id < 0)
		return id;
	opts->attach_btf_id = id;
	opts->attach_btf_obj_fd = module < MODULES ? loading->fd[module] : 0;
	return 0;
}

struct iscsi_stats_bpf *fentry_open(void)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = prepare_load);
	LIBBPF_OPTS(bpf_object_open_opts, object,
		    .kernel_log_level = log_verbose(2) ? VERIFIER_STATISTICS : 0);
	static bool registered;

	/* For good: programs opened keep pointing to it. */
	if (!registered) {
		int entry = libbpf_register_prog_handler(SECTION_FENTRY, BPF_PROG_TYPE_TRACING,
							 BPF_TRACE_FENTRY, &opts);
		int exit = libbpf_register_prog_handler(SECTION_FEXIT, BPF_PROG_TYPE_TRACING,
							BPF_TRACE_FEXIT, &opts);

		registered = entry >= 0 && exit >= 0;
		if (!registered) {
			errno = entry < 0 ? -entry : -exit;
			return NULL;
		}
	}
	return iscsi_stats_bpf__open_opts(&object);
}

/* The kernel's BTF object of that name, if it is a module's that we know. */
static void note_object(struct aim *aim, int fd)
{
	static const char *const names[MODULES] = {"libiscsi", "libiscsi_tcp",
						   "scsi_transport_iscsi"};
	char name[64] = "";
	struct bpf_btf_info info = {.name = (uintptr_t)name, .name_len = sizeof(name)};
	__u32 size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size) || !info.kernel_btf)
		return;
	for (int i = 0; i < MODULES; i++)
		if (!aim->fd[i] && !strcmp(name, names[i]))
			aim->fd[i] = dup(fd);
}

static void open_objects(struct aim *aim)
{
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		cleanup_fd int fd = bpf_btf_get_fd_by_id(id);

		if (fd >= 0)
			note_object(aim, fd);
	}
}

int fentry_load(struct iscsi_stats_bpf *skel, const struct kernel_btf *btf)
{
	struct aim aim = {.btf = btf};
	int err;

	if (!btf->from_files)
		open_objects(&aim);
	loading = &aim;
	err = iscsi_stats_bpf__load(skel);
	loading = NULL;
	for (int i = 0; i < MODULES; i++)
		if (aim.fd[i] > 0)
			close(aim.fd[i]);
	return err;
}
