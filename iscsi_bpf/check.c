// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Takes the steps of a tracer one by one and notes each. */
#include <errno.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <bpf/libbpf.h>
#include "common/cleanup.h"
#include "common/hook_info.h"
#include "iscsi_bpf/attach.h"
#include "iscsi_bpf/check.h"
#include "iscsi_bpf/era.h"
#include "iscsi_bpf/gauges.h"
#include "iscsi_bpf/hook_table.h"
#include "iscsi_bpf/host.h"
#include "iscsi_bpf/privilege.h"
#include "iscsi_bpf/probe_events.h"
#include "iscsi_stats.skel.h"

static struct check_row *add(struct check *c, const char *group, const char *name, bool available,
			     const char *how, ...) __attribute__((format(printf, 5, 6)));

static struct check_row *add(struct check *c, const char *group, const char *name, bool available,
			     const char *how, ...)
{
	struct check_row *row = &c->rows[c->count < CHECK_ROWS_MAX - 1 ? c->count++ : c->count];
	va_list args;

	*row = (struct check_row){.group = group, .name = name, .available = available};
	va_start(args, how);
	vsnprintf(row->how, sizeof(row->how), how, args);
	va_end(args);
	return row;
}

static void add_lockdown(struct check *c)
{
	char mode[HOST_LOCKDOWN] = "not in use, or not told";
	bool closed = host_lockdown(mode) && !strcmp(mode, "confidentiality");
	struct check_row *row = add(c, "host", "lockdown", !closed, "%s", mode);

	row->lost = closed ? "everything: BPF may not read kernel memory" : NULL;
	row->todo = closed ? "boot with lockdown=integrity or without" : NULL;
}

static void add_memlock(struct check *c)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return;
	if (limit.rlim_max == RLIM_INFINITY)
		add(c, "host", "memlock", true, "unlimited");
	else
		add(c, "host", "memlock", true, "%llu bytes; raised where maps count against it",
		    (unsigned long long)limit.rlim_max);
}

static void add_tracefs(struct check *c)
{
	const char *dir = probe_events_dir();
	struct check_row *row = add(c, "host", "tracefs", dir, "%s",
				    dir ? dir : "not mounted, or it has no kprobe_events");

	row->lost = dir ? NULL : "kprobes, for hooks that cannot be attached by fentry";
	row->todo = dir ? NULL : "mount -t tracefs tracefs /sys/kernel/tracing";
}

static void add_sessions(struct check *c)
{
	size_t count = 0;
	glob_t found;

	if (!glob("/sys/class/iscsi_session/session*", 0, NULL, &found))
		count = found.gl_pathc;
	globfree(&found);
	add(c, "host", "sessions", count > 0, "%zu seen", count)->todo =
		count ? NULL : "log in to a target: iscsiadm -m node --login";
}

/* What the tracer looks at before it looks into the kernel. */
static int check_host(const struct options *o, struct check *c)
{
	int err = privilege_check();
	bool modules;

	add(c, "host", "privilege", !err, "CAP_SYS_ADMIN")->todo = err ? "run it as root" : NULL;
	add_lockdown(c);
	add_memlock(c);
	add_tracefs(c);
	if (err)
		return err;
	err = host_check_kernel(o);
	add(c, "kernel", "BPF and BTF", !err, "%s", err ? "see above" : "usable")->lost =
		err ? "everything" : NULL;
	modules = host_modules_loaded();
	add(c, "host", "modules", modules, "libiscsi, libiscsi_tcp")->todo =
		modules ? NULL : "modprobe iscsi_tcp, or log in to a target";
	add_sessions(c);
	if (!err && !modules) {
		host_say_not_loaded();
		err = -EOPNOTSUPP;
	}
	return err;
}

static int check_structures(const struct options *o, struct check *c, struct kernel_btf *btf,
			    struct kernel_layout *layout)
{
	int err = era_describe(o, btf);
	struct check_row *list;
	bool own = btf->libiscsi && btf->libiscsi_tcp && !btf->from_files,
	     exchange = host_has_compare_exchange();

	if (!err && layout_resolve(btf, layout))
		err = -EOPNOTSUPP;
	if (o->btf)
		add(c, "kernel", "kernel BTF", true, "from a file, checked on a session")->lost =
			"fentry";
	add(c, "kernel", "module BTF", own, "%s",
	    o->libiscsi_btf || o->libiscsi_tcp_btf ? "from files, checked on a session"
	    : o->no_module_btf || o->btf	   ? "left out"
	    : own				   ? "libiscsi, libiscsi_tcp"
						   : "there is none")
		->lost = own ? NULL : "fentry";
	add(c, "kernel", "structures", !err, "%s%s",
	    err	       ? "not known"
	    : btf->era ? "computed and checked on a session, as in "
		       : "by BTF",
	    btf->era ? era_name(btf->era) : "")
		->lost = err ? "everything" : NULL;
	list = add(c, "kernel", "session list", gauges_find_list() != 0, "address in kallsyms");
	list->lost = list->available ? NULL : "cmdsn_window, cmds_max";
	list->todo = list->available ? NULL : "sysctl kernel.kptr_restrict=1";
	add(c, "kernel", "compare-and-exchange", exchange, "%s",
	    exchange ? "in BPF" : "not in BPF: a hash map instead")
		->lost = exchange ? NULL : "some time per command";
	return err;
}

/* All that a hook's program is configured with here; nothing is counted. */
static int configure(struct iscsi_stats_bpf *skel, void *layout)
{
	skel->rodata->layout = *(const struct kernel_layout *)layout;
	return 0;
}

static void add_hooks(const struct options *o, struct check *c, const struct attach *attach,
		      bool attached)
{
	uint64_t missed = attached ? attach_missed(attach) : UINT64_MAX;

	for (int i = 0; i < HOOK_INFO_COUNT; i++) {
		enum attach_how how = attached ? attach->how[i] : HOW_NONE;
		bool left_out = o->without >> i & 1;
		struct check_row *row = add(c, "hook", hook_infos[i].name, how != HOW_NONE, "%s %s",
					    left_out	      ? "left out:"
					    : how == HOW_NONE ? "not attached:"
							      : attach_how_name(how),
					    hook_name(i));

		row->lost = how == HOW_NONE ? hook_infos[i].lost : NULL;
		row->todo = left_out ? "do not give it to --without" : NULL;
	}
	add(c, "kernel", "probe misses", missed != UINT64_MAX, "%s",
	    missed == UINT64_MAX ? "not counted" : "counted")
		->lost = missed == UINT64_MAX ? "loss probe_misses is null" : NULL;
}

int check_run(const struct options *options, struct check *out)
{
	struct attach_wish wish = {.mode = options->attach, .without = options->without};
	struct options o = *options;
	struct kernel_layout layout;
	struct attach attach = {0};
	struct kernel_btf btf = {0};
	int err;

	/* Nothing is waited for. */
	o.once = true;
	*out = (struct check){0};
	err = check_host(&o, out);
	if (!err)
		err = check_structures(&o, out, &btf, &layout);
	if (!err) {
		wish.sessions = !layout_resolve_session(&btf, &layout);
		err = attach_open(&attach, &wish, &btf, configure, &layout);
	}
	add_hooks(&o, out, &attach, !err);
	if (!err)
		attach_close(&attach);
	kernel_btf_close(&btf);
	return err;
}
