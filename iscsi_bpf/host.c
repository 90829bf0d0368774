// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks at privilege, probe mechanisms and modules, and says in one sentence what is missing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/host.h"
#include "iscsi_bpf/probe_events.h"

/* The modules hooked, and a function of each, to find them when they are built in. */
static const struct {
	const char *name;
	const char *function;
} modules[] = {
	{"libiscsi", "iscsi_queuecommand"},
	{"libiscsi_tcp", "iscsi_tcp_task_init"},
};

int host_check_privilege(void)
{
	cleanup_file FILE *file = fopen("/proc/self/status", "re");
	unsigned long long effective = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "CapEff: %llx", &effective) == 1)
			break;
	if (effective & (1ULL << CAP_SYS_ADMIN))
		return 0;
	log_error("tracing on this host: not permitted: CAP_SYS_ADMIN is missing");
	log_hint("run it as root");
	return -EPERM;
}

/* Exact names only: kallsyms also has iscsi_queuecommand.cold. */
bool host_has_symbol(const char *symbol)
{
	cleanup_file FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], name[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%*s %*s %255s", name) == 1 && !strcmp(name, symbol))
			return true;
	return false;
}

/* Live, or built in; one that is still coming up or going is not there. */
static bool module_loaded(const char *name, const char *function)
{
	cleanup_file FILE *file = NULL;
	char path[64], state[16] = "";

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);
	file = fopen(path, "re");
	if (!file)
		return host_has_symbol(function);
	return fscanf(file, "%15s", state) == 1 && !strcmp(state, "live");
}

bool host_modules_loaded(void)
{
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (!module_loaded(modules[i].name, modules[i].function))
			return false;
	return true;
}

uint64_t host_modules_identity(void)
{
	uint64_t identity = 0;

	/* sysfs makes the folder with the module, and does not use inode numbers again soon. */
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		struct stat folder = {0};
		char path[64];

		snprintf(path, sizeof(path), "/sys/module/%s", modules[i].name);
		if (stat(path, &folder))
			folder.st_ino = 0;
		identity = identity * 1000003 + folder.st_ino;
	}
	return identity;
}

void host_say_not_loaded(void)
{
	log_error("kernel modules libiscsi, libiscsi_tcp: not loaded");
	log_hint("log in to a target first (iscsiadm -m node --login), or modprobe iscsi_tcp");
}

/* Is the bpf system call there (not configured out, not filtered by seccomp)? */
static int check_bpf(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
	int fd = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno != ENOSYS && errno != EPERM)
		return 0;
	log_error("bpf system call: not usable: %s", strerror(errno));
	log_hint("the kernel needs CONFIG_BPF_SYSCALL, and a container must allow bpf(2)");
	return -EOPNOTSUPP;
}

bool host_has_compare_exchange(void)
{
	/* r0 = r1 = *(u64 *)(r10 - 8) = 0; lock cmpxchg *(u64 *)(r10 - 8), r1; exit */
	static const struct bpf_insn program[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1},
		{.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8},
		{.code = BPF_STX | BPF_ATOMIC | BPF_DW,
		 .dst_reg = BPF_REG_10,
		 .src_reg = BPF_REG_1,
		 .off = -8,
		 .imm = BPF_CMPXCHG},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	cleanup_fd int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL, "GPL", program,
					  sizeof(program) / sizeof(program[0]), NULL);

	return fd >= 0;
}

static int check_probes(enum attach_mode mode)
{
	bool btf = !access("/sys/kernel/btf/vmlinux", R_OK);
	bool kprobes = host_has_symbol("register_kprobe") && probe_events_dir();

	if (mode == ATTACH_FENTRY && !btf) {
		log_error("--attach fentry: this kernel cannot: it has no BTF (/sys/kernel/btf)");
		return -EOPNOTSUPP;
	}
	if (mode == ATTACH_KPROBE && !kprobes) {
		log_error(
			"--attach kprobe: this kernel cannot: it has no kprobe events in tracefs");
		log_hint("the kernel needs CONFIG_KPROBE_EVENTS, and tracefs mounted on "
			 "/sys/kernel/tracing");
		return -EOPNOTSUPP;
	}
	if (btf)
		return 0;
	log_error("this kernel: unfit for tracing: it has no BTF (/sys/kernel/btf/vmlinux)");
	log_hint("the kernel needs CONFIG_DEBUG_INFO_BTF");
	return -EOPNOTSUPP;
}

int host_check_kernel(enum attach_mode mode)
{
	int err = check_bpf();

	if (err)
		return err;
	if (access("/proc/modules", R_OK) && !host_modules_loaded()) {
		log_error(
			"this kernel: unfit for tracing: it has no libiscsi and loads no modules");
		log_hint("trace on a host whose kernel has iscsi_tcp, or boot one with lab/shell");
		return -EOPNOTSUPP;
	}
	return check_probes(mode);
}
