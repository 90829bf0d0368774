// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks at privilege, probe mechanisms and modules, and says in one sentence what is missing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/host.h"
#include "iscsi_bpf/kernel_symbol.h"
#include "iscsi_bpf/probe_events.h"

/* The modules hooked, and a function of each, to find them when they are built in. */
static const struct {
	const char *name;
	const char *function;
} modules[] = {
	{"libiscsi", "iscsi_queuecommand"},
	{"libiscsi_tcp", "iscsi_tcp_task_init"},
};

#define MODULES (sizeof(modules) / sizeof(modules[0]))

/* A module that has no state: built in, or not there. That does not change. */
static bool is_built_in(size_t module)
{
	static enum { UNKNOWN, NO, YES } built_in[MODULES];

	if (built_in[module] == UNKNOWN) {
		struct kernel_symbol function = {.name = modules[module].function, .module = ""};

		kernel_symbols_find(&function, 1);
		built_in[module] = function.found ? YES : NO;
	}
	return built_in[module] == YES;
}

/* Live, or built in; one that is still coming up or going is not there. */
static bool module_loaded(size_t module)
{
	cleanup_file FILE *file = NULL;
	char path[64], state[16] = "";

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", modules[module].name);
	file = fopen(path, "re");
	if (!file)
		return is_built_in(module);
	return fscanf(file, "%15s", state) == 1 && !strcmp(state, "live");
}

bool host_modules_loaded(void)
{
	for (size_t i = 0; i < MODULES; i++)
		if (!module_loaded(i))
			return false;
	return true;
}

uint64_t host_modules_identity(void)
{
	uint64_t identity = 0;

	/* sysfs makes the folder with the module, and does not use inode numbers again soon. */
	for (size_t i = 0; i < MODULES; i++) {
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

bool host_lockdown(char *mode)
{
	cleanup_file FILE *file = fopen("/sys/kernel/security/lockdown", "re");
	char line[128], *begin;

	/* The mode in force is the one in brackets. */
	if (!file || !fgets(line, sizeof(line), file))
		return false;
	begin = strchr(line, '[');
	return begin && sscanf(begin, "[%31[^]]", mode) == 1;
}

/* Is the bpf system call there (not configured out, not filtered by seccomp)? */
static int check_bpf(void)
{
	__u32 id = 0;
	/* Not by making a map: before 5.11 others' locked memory can be in its way. */
	int err = bpf_prog_get_next_id(0, &id);

	if (err != -ENOSYS && err != -EPERM)
		return 0;
	log_error("bpf system call: not usable: %s", strerror(-err));
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

/* In this mode the verifier refuses every program that reads the kernel's memory. */
static int check_lockdown(void)
{
	char mode[HOST_LOCKDOWN];

	if (!host_lockdown(mode) || strcmp(mode, "confidentiality"))
		return 0;
	log_error("this kernel: locked down for confidentiality: BPF may not read its memory");
	log_hint("boot with lockdown=integrity, or without");
	return -EOPNOTSUPP;
}

static int check_probes(const struct options *o)
{
	bool own_btf = !access("/sys/kernel/btf/vmlinux", R_OK), btf = own_btf || o->btf;
	bool kprobes = probe_events_dir();

	if (o->attach == ATTACH_FENTRY && !own_btf) {
		log_error("--attach fentry: this kernel cannot: it has no BTF (/sys/kernel/btf)");
		return -EOPNOTSUPP;
	}
	if (o->attach == ATTACH_KPROBE && !kprobes) {
		log_error(
			"--attach kprobe: this kernel cannot: it has no kprobe events in tracefs");
		log_hint("the kernel needs CONFIG_KPROBE_EVENTS, and tracefs mounted on "
			 "/sys/kernel/tracing");
		return -EOPNOTSUPP;
	}
	if (btf)
		return 0;
	log_error("this kernel: unfit for tracing: it has no BTF (/sys/kernel/btf/vmlinux)");
	log_hint("the kernel needs CONFIG_DEBUG_INFO_BTF, or --btf a file made of its debug "
		 "information");
	return -EOPNOTSUPP;
}

int host_check_kernel(const struct options *options)
{
	int err = check_bpf();

	if (!err)
		err = check_lockdown();
	if (err)
		return err;
	if (access("/proc/modules", R_OK) && !host_modules_loaded()) {
		log_error(
			"this kernel: unfit for tracing: it has no libiscsi and loads no modules");
		log_hint("trace on a host whose kernel has iscsi_tcp, or boot one with lab/shell");
		return -EOPNOTSUPP;
	}
	return check_probes(options);
}
