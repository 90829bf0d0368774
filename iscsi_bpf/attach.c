// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The attach ladder: fentry, then kprobe, hook by hook; a tracepoint where there is one. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "common/hook_info.h"
#include "common/log.h"
#include "iscsi_bpf/attach.h"
#include "iscsi_bpf/fentry.h"
#include "iscsi_bpf/hook_table.h"
#include "iscsi_bpf/host.h"
#include "iscsi_bpf/probe_events.h"
#include "iscsi_stats.skel.h"

const char *attach_how_name(enum attach_how how)
{
	static const char *const names[] = {"none", "fentry", "kprobe", "tracepoint"};

	return names[how];
}

static enum attach_how choose_one(enum hook_id id, const struct attach_wish *wish,
				  const struct kernel_btf *btf)
{
	bool fentry = hook_table[id].function && fentry_possible(btf, hook_table[id].function);

	if (wish->without >> id & 1 || (!hook_of_command(id) && !wish->sessions))
		return HOW_NONE;
	if (hook_table[id].tracepoint)
		return HOW_TRACEPOINT;
	if (wish->mode == ATTACH_KPROBE)
		return HOW_KPROBE;
	if (fentry)
		return HOW_FENTRY;
	if (wish->mode == ATTACH_AUTO)
		return HOW_KPROBE;
	/* One of commands shall fail to attach, with its name in the message. */
	return hook_of_command(id) ? HOW_FENTRY : HOW_NONE;
}

static void choose(struct attach *attach, const struct attach_wish *wish,
		   const struct kernel_btf *btf)
{
	for (int id = 0; id < HOOK_COUNT; id++)
		attach->how[id] = choose_one(id, wish, btf);
}

static const char *kprobe_name(const struct attach *attach, const struct hook *hook)
{
	return attach->by_claim && hook->kprobe_claim ? hook->kprobe_claim : hook->kprobe;
}

static struct bpf_program *program(const struct attach *attach, const char *name)
{
	return name ? bpf_object__find_program_by_name(attach->skel->obj, name) : NULL;
}

static void autoload(const struct attach *attach, const char *name, bool on)
{
	if (name)
		bpf_program__set_autoload(program(attach, name), on);
}

static int load(struct attach *attach, const struct kernel_btf *btf, attach_configure_fn configure,
		void *arg)
{
	int err;

	attach->skel = fentry_open();
	if (!attach->skel)
		return -errno;
	for (int id = 0; id < HOOK_COUNT; id++) {
		const struct hook *hook = &hook_table[id];

		autoload(attach, hook->fentry, attach->how[id] == HOW_FENTRY);
		autoload(attach, hook->fexit, attach->how[id] == HOW_FENTRY);
		autoload(attach, kprobe_name(attach, hook), attach->how[id] == HOW_KPROBE);
		autoload(attach, hook->kretprobe, attach->how[id] == HOW_KPROBE);
		autoload(attach, hook->tracepoint, attach->how[id] == HOW_TRACEPOINT);
		if (attach->how[id] != HOW_NONE)
			attach->skel->rodata->cfg_hooks |= 1U << id;
	}
	attach->skel->rodata->cfg_claims = attach->by_claim;
	err = configure(attach->skel, arg);
	return err ? err : fentry_load(attach->skel, btf);
}

static int keep_link(struct attach *attach, struct bpf_link *link)
{
	if (!link)
		return -errno;
	attach->links[attach->link_count++] = link;
	return 0;
}

static int attach_probe(struct attach *attach, const char *name, const char *function,
			bool on_return)
{
	struct bpf_program *prog = program(attach, name);
	int fd = probe_event_create(name, function, on_return), err;

	if (fd < 0)
		return fd;
	err = keep_link(attach, bpf_program__attach_perf_event(prog, fd));
	if (err)
		close(fd);
	return err;
}

static int attach_trace(struct attach *attach, const char *name)
{
	return keep_link(attach, bpf_program__attach_trace(program(attach, name)));
}

/* The return first: an entry noted without it would be left over. */
static int attach_hook(struct attach *attach, enum hook_id id)
{
	const struct hook *hook = &hook_table[id];
	int err = 0;

	switch (attach->how[id]) {
	case HOW_FENTRY:
		if (hook->fexit)
			err = attach_trace(attach, hook->fexit);
		return err || !hook->fentry ? err : attach_trace(attach, hook->fentry);
	case HOW_KPROBE:
		if (hook->kretprobe)
			err = attach_probe(attach, hook->kretprobe, hook->function, true);
		return err ? err
			   : attach_probe(attach, kprobe_name(attach, hook), hook->function, false);
	case HOW_TRACEPOINT:
		return keep_link(attach,
				 bpf_program__attach_raw_tracepoint(
					 program(attach, hook->tracepoint), hook->tracepoint_name));
	default:
		return 0;
	}
}

/* The last rung: to do without. */
static void leave_out(struct attach *attach, enum hook_id id, int err)
{
	attach->how[id] = HOW_NONE;
	if (hook_of_command(id))
		log_warn("hook %s: cannot be attached: lost is %s", hook_name(id),
			 hook_infos[id].lost);
	else
		log_detail("hook %s: cannot be attached: lost is %s: %s", hook_name(id),
			   hook_infos[id].lost, strerror(-err));
}

/* Attaches all. On failure *failed is the hook that could not be and has another way, or must. */
static int attach_all(struct attach *attach, enum attach_mode mode, enum hook_id *failed)
{
	for (int i = 0; i < HOOK_COUNT; i++) {
		enum hook_id id = hook_order[i];
		bool last_way = mode != ATTACH_AUTO || attach->how[id] != HOW_FENTRY;
		int err = attach_hook(attach, id);

		*failed = id;
		if (err && (hook_infos[id].needed || !last_way))
			return err;
		if (err)
			leave_out(attach, id, err);
		else if (attach->how[id] != HOW_NONE)
			log_detail("hook %s: %s", hook_name(id), attach_how_name(attach->how[id]));
	}
	return 0;
}

/* All hooks of sessions off; false: they were. */
static bool leave_sessions_out(struct attach *attach)
{
	bool any = false;

	for (int id = HOOK_COMMAND_COUNT; id < HOOK_COUNT; id++) {
		any |= attach->how[id] != HOW_NONE;
		attach->how[id] = HOW_NONE;
	}
	if (any)
		log_detail("BPF programs: cannot be loaded: trying without events of sessions");
	return any;
}

/* One rung down the ladder for whatever could not be attached; false: there is none. */
static bool step_down(struct attach *attach, enum attach_mode mode, int load_err,
		      enum hook_id failed)
{
	bool stepped = false;

	for (int id = 0; id < HOOK_COUNT && mode == ATTACH_AUTO; id++) {
		/* A failed load does not say which program it was. */
		if (attach->how[id] != HOW_FENTRY || (!load_err && id != (int)failed))
			continue;
		attach->how[id] = HOW_KPROBE;
		stepped = true;
	}
	return stepped || (load_err && leave_sessions_out(attach));
}

static void say_load_failure(int err)
{
	struct rlimit locked;

	log_error("BPF programs: cannot be loaded: %s", strerror(-err));
	if (err == -ENOMEM)
		log_hint(
			"memory, or the memory.max of a cgroup, is too little: give --max-inflight "
			"and --max-keys less");
	else if (err == -EPERM && !getrlimit(RLIMIT_MEMLOCK, &locked) &&
		 locked.rlim_cur != RLIM_INFINITY)
		log_hint("this kernel counts BPF maps as locked memory, and the limit is %llu "
			 "bytes: ulimit -l unlimited",
			 (unsigned long long)locked.rlim_cur);
	else
		log_hint("-v -v shows what the kernel says");
}

static void say_failure(const struct attach *attach, int load_err, int err, enum hook_id failed)
{
	if (load_err) {
		say_load_failure(load_err);
		return;
	}
	log_error("hook %s: cannot be attached by %s: %s", hook_name(failed),
		  attach_how_name(attach->how[failed]), strerror(-err));
}

/* Without a command's start or end nothing can be told. */
static int check_wish(const struct attach_wish *wish)
{
	for (int id = 0; id < HOOK_INFO_COUNT; id++) {
		if (!(wish->without >> id & 1) || !hook_infos[id].needed)
			continue;
		log_error("hook %s: left out, but needed: lost is %s", hook_infos[id].name,
			  hook_infos[id].lost);
		return -EOPNOTSUPP;
	}
	return 0;
}

int attach_open(struct attach *attach, const struct attach_wish *wish, const struct kernel_btf *btf,
		attach_configure_fn configure, void *arg)
{
	enum hook_id failed = HOOK_SUBMIT;
	int load_err, err = check_wish(wish);

	if (err)
		return err;
	memset(attach, 0, sizeof(*attach));
	attach->by_claim = !host_has_compare_exchange();
	choose(attach, wish, btf);
	for (;;) {
		load_err = load(attach, btf, configure, arg);
		if (!load_err)
			err = attach_all(attach, wish->mode, &failed);
		if (!load_err && !err)
			return 0;
		if (!step_down(attach, wish->mode, load_err, failed))
			break;
		attach_close(attach);
	}
	say_failure(attach, load_err, err, failed);
	attach_close(attach);
	return load_err == -ENOMEM || load_err == -EPERM ? load_err : -EOPNOTSUPP;
}

void attach_close(struct attach *attach)
{
	/* In reverse: starts stop being seen before ends do. */
	while (attach->link_count)
		bpf_link__destroy(attach->links[--attach->link_count]);
	if (attach->skel)
		probe_events_remove();
	iscsi_stats_bpf__destroy(attach->skel);
	attach->skel = NULL;
}

/* What the kernel counted for one program; UINT64_MAX: it does not count (before 5.12). */
static uint64_t program_missed(struct bpf_program *prog)
{
	struct bpf_prog_info info = {0};
	__u32 size = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
		return UINT64_MAX;
	if (size < offsetof(struct bpf_prog_info, recursion_misses) + sizeof(info.recursion_misses))
		return UINT64_MAX;
	return info.recursion_misses;
}

uint64_t attach_missed(const struct attach *attach)
{
	bool kprobes = false;
	struct bpf_program *prog;
	uint64_t sum = 0, missed;

	for (int id = 0; id < HOOK_COUNT; id++)
		kprobes |= attach->how[id] == HOW_KPROBE;
	bpf_object__for_each_program(prog, attach->skel->obj)
	{
		if (!bpf_program__autoload(prog))
			continue;
		missed = program_missed(prog);
		if (missed == UINT64_MAX)
			return UINT64_MAX;
		sum += missed;
	}
	if (!kprobes)
		return sum;
	missed = probe_events_missed();
	return missed == UINT64_MAX ? UINT64_MAX : sum + missed;
}

uint32_t attach_stages_known(const struct attach *attach)
{
	uint32_t missing = 0;

	for (int id = 0; id < HOOK_INFO_COUNT; id++)
		if (attach->how[id] == HOW_NONE)
			missing |= 1U << id;
	return hook_stages_known(missing);
}
