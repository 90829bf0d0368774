// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The live source: waits for the modules, loads, attaches, and reads one generation per interval.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/attach.h"
#include "iscsi_bpf/configure.h"
#include "iscsi_bpf/era.h"
#include "iscsi_bpf/gauges.h"
#include "iscsi_bpf/generation.h"
#include "iscsi_bpf/host.h"
#include "iscsi_bpf/layout.h"
#include "iscsi_bpf/leftover.h"
#include "iscsi_bpf/signals.h"
#include "iscsi_bpf/names.h"
#include "iscsi_bpf/privilege.h"
#include "iscsi_bpf/probe_events.h"
#include "iscsi_bpf/tracer.h"
#include "iscsi_bpf/turns.h"
#include "iscsi_bpf/unwanted.h"
#include "iscsi_stats.skel.h"

#define MODULES_POLL_MS 200

struct tracer {
	struct source source;
	const struct options *options;
	struct kernel_layout layout;
	struct attach attach;
	struct names *names;
	struct ring_buffer *ring;
	struct reading between; /* what the ring gave since the last reading */
	struct command_events events;
	struct stuck stuck;
	struct leftover leftover;
	struct turns turns;
	struct slot *slots; /* mapped */
	size_t slots_size;
	uint64_t session_list; /* address of the kernel's; 0: not told */
	bool hists_by_lun;
	uint64_t modules; /* the identity of those hooked */
	uint64_t number;
	uint64_t last_ns;	   /* CLOCK_MONOTONIC of the last reading */
	uint64_t lost[LOSS_COUNT]; /* as read last */
};

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static int configure(struct iscsi_stats_bpf *skel, void *arg)
{
	const struct tracer *t = arg;

	configure_skeleton(skel, t->options, &t->layout);
	return 0;
}

__attribute__((format(printf, 2, 0))) static int libbpf_print(enum libbpf_print_level level,
							      const char *format, va_list args)
{
	(void)level;
	return log_verbose(2) ? vfprintf(stderr, format, args) : 0;
}

/* Waits until the iSCSI modules are there, saying so once. 0, -ECANCELED: a signal came. */
static int wait_for_modules(const struct options *o)
{
	if (host_modules_loaded())
		return 0;
	if (o->strict || o->once) {
		host_say_not_loaded();
		return -EOPNOTSUPP;
	}
	log_note("kernel modules libiscsi, libiscsi_tcp: not loaded yet: waiting");
	while (!host_modules_loaded())
		if (signals_stop_requested(MODULES_POLL_MS))
			return -ECANCELED;
	return 0;
}

/* The session's names may come later. 0 or -errno. */
static int nop_ended(void *arg, void *data, size_t size)
{
	struct tracer *t = arg;
	const struct nop_end *end = data;
	struct nop_sums nops = {.lost = 1};
	struct session_name *session;

	if (size < sizeof(*end))
		return -EBADMSG;
	session = reading_session(t->leftover.reading, end->sid);
	if (!session)
		return -ENOMEM;
	session->cid = end->cid;
	if (end->ns)
		nops = (struct nop_sums){.count = 1, .sum_ns = end->ns, .max_ns = end->ns};
	nops_add(&session->nops, &nops);
	return 0;
}

/* What reads the rare ends, and what is in flight. */
static int open_leftover(struct tracer *t)
{
	t->slots_size = configure_slot_count(t->options) * sizeof(struct slot);
	t->slots = mmap(NULL, t->slots_size, PROT_READ, MAP_SHARED,
			bpf_map__fd(t->attach.skel->maps.inflight), 0);
	if (t->slots == MAP_FAILED) {
		t->slots = NULL;
		log_error("table of commands in flight: cannot be mapped: %s", strerror(errno));
		return -errno;
	}
	t->leftover = (struct leftover){.skel = t->attach.skel,
					.names = t->names,
					.slots = t->slots,
					.slot_count = configure_slot_count(t->options),
					.hists_by_lun = t->hists_by_lun,
					.max_age_ns = t->options->max_age_ns,
					.events = &t->events,
					.stuck = &t->stuck};
	t->events.slower_ns = configure_slower_ns(t->options);
	t->stuck.older_ns = t->options->filter.stuck_ns;
	t->stuck.root = "/sys";
	return 0;
}

/* The rings are looked at when half full, and at each reading. */
static int open_rings(struct tracer *t)
{
	struct iscsi_stats_bpf *skel = t->attach.skel;
	int err = 0;

	t->ring =
		ring_buffer__new(bpf_map__fd(skel->maps.ended), leftover_ended, &t->leftover, NULL);
	if (!t->ring)
		err = -errno;
	if (!err)
		err = ring_buffer__add(t->ring, bpf_map__fd(skel->maps.nops_ended), nop_ended, t);
	if (!err)
		err = ring_buffer__add(t->ring, bpf_map__fd(skel->maps.turns), turns_take,
				       &t->turns);
	if (!err)
		err = ring_buffer__add(t->ring, bpf_map__fd(skel->maps.events), command_event_ended,
				       &t->events);
	if (err) {
		log_error("ring buffer: cannot be set up: %s", strerror(-err));
		return err;
	}
	t->source.fd = ring_buffer__epoll_fd(t->ring);
	return 0;
}

static int resolve_and_attach(struct tracer *t)
{
	struct attach_wish wish = {.mode = t->options->attach,
				   .without = t->options->without,
				   .sessions = !t->options->filter.no_session_events};
	struct kernel_btf btf;
	int err = era_describe(t->options, &btf);

	t->modules = host_modules_identity();
	if (!err && layout_resolve(&btf, &t->layout))
		err = -EOPNOTSUPP;
	if (!err) {
		wish.sessions = wish.sessions && !layout_resolve_session(&btf, &t->layout);
		log_progress("attaching");
		err = attach_open(&t->attach, &wish, &btf, configure, t);
	}
	kernel_btf_close(&btf);
	return err;
}

static void read_losses(struct tracer *t, struct reading *r)
{
	for (int i = 0; i < LOSS_COUNT; i++) {
		uint64_t now = t->attach.skel->bss->losses[i];

		if (i == LOSS_PROBE_MISSES)
			now = attach_missed(&t->attach);
		if (now == UINT64_MAX) {
			r->loss[i] = LOSS_UNKNOWN;
			continue;
		}
		r->loss[i] += now - t->lost[i];
		t->lost[i] = now;
	}
}

/*
 * Empties the rings: what belongs to the resting generation into `r`, the rest into `between`. Who
 * has just logged in may be gone at the next reading.
 */
static int read_rings(struct tracer *t, struct reading *r)
{
	int err;

	t->leftover.reading = r;
	t->turns = (struct turns){.reading = r};
	t->events.resting = r;
	t->events.next = &t->between;
	t->events.generation = (t->attach.skel->bss->epoch - 1) & 1;
	t->events.wall_ns = now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC);
	err = ring_buffer__consume(t->ring);
	if (err < 0)
		log_error("ring buffer: cannot be read: %s", strerror(-err));
	/* A failure of this one is that of the next reading, too, which says so. */
	if (err >= 0 && t->turns.login)
		names_refresh(t->names);
	return err < 0 ? err : 0;
}

static int tracer_collect(struct source *source)
{
	struct tracer *t = (struct tracer *)source;

	return read_rings(t, &t->between);
}

/* All that happened since the last time, into an empty reading. */
static int collect_interval(struct tracer *t, struct reading *r)
{
	int err = tracer_collect(&t->source);

	if (err)
		return err;
	*r = t->between;
	reading_init(&t->between);
	err = names_copy(t->names, r);
	if (!err)
		err = gauges_read(t->attach.skel, t->session_list, r);
	if (!err)
		err = generation_drain(t->attach.skel, r);
	/* So that there is an event in this reading for exactly the commands it counts. */
	if (!err)
		err = read_rings(t, r);
	return err ? err : leftover_sweep(&t->leftover);
}

/* Only kprobes let the modules go, and stay dead when they come back. */
static void check_modules(struct tracer *t)
{
	if (host_modules_identity() == t->modules)
		return;
	log_error("kernel modules libiscsi, libiscsi_tcp: unloaded: tracing has stopped");
	log_hint("start anew: it waits until they are loaded; hooks by fentry keep them loaded");
	t->source.end = -ENODEV;
}

static int tracer_read(struct source *source, struct reading *r)
{
	struct tracer *t = (struct tracer *)source;
	int err = names_refresh(t->names);
	uint64_t now = now_ns(CLOCK_MONOTONIC), wall = now_ns(CLOCK_REALTIME);

	if (!err)
		err = collect_interval(t, r);
	if (err) {
		log_error("reading of interval %llu: failed: %s", (unsigned long long)t->number + 1,
			  strerror(-err));
		return err;
	}
	unwanted_update(t->attach.skel, t->names, &t->options->filter, r);
	turns_finish(r, t->names);
	reading_order_events(r);
	names_forget(t->names);
	read_losses(t, r);
	r->number = ++t->number;
	r->length_ns = now - t->last_ns;
	r->start_ns = wall - r->length_ns;
	r->stages_known = attach_stages_known(&t->attach);
	r->hists_by_lun = t->hists_by_lun;
	t->last_ns = now;
	check_modules(t);
	return 0;
}

static void tracer_close(struct source *source)
{
	struct tracer *t = (struct tracer *)source;

	ring_buffer__free(t->ring);
	if (t->slots)
		munmap(t->slots, t->slots_size);
	reading_deinit(&t->between);
	stuck_deinit(&t->stuck);
	attach_close(&t->attach);
	names_close(t->names);
	free(t);
}

static const struct source_ops tracer_ops = {
	.read = tracer_read, .collect = tracer_collect, .close = tracer_close};

/* Names before the first command, so that filters take effect at once. */
static int first_names(struct tracer *t)
{
	struct reading r;
	int err;

	reading_init(&r);
	err = names_refresh(t->names);
	if (!err)
		err = names_copy(t->names, &r);
	if (!err) {
		unwanted_update(t->attach.skel, t->names, &t->options->filter, &r);
		err = source_check_filter(t->options, &r);
	}
	reading_deinit(&r);
	return err;
}

int tracer_open(const struct options *options, struct source **out)
{
	struct tracer *t;
	int err;

	libbpf_set_print(libbpf_print);
	err = privilege_check();
	if (!err)
		err = host_check_kernel(options);
	if (!err)
		err = wait_for_modules(options);
	if (err)
		return err;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->source = (struct source){.ops = &tracer_ops, .live = true};
	t->options = options;
	t->hists_by_lun = configure_hists_by_lun(options);
	t->session_list = gauges_find_list();
	reading_init(&t->between);
	probe_events_clear_dead();
	err = names_open("/sys", &t->names);
	if (!err)
		err = resolve_and_attach(t);
	if (!err)
		err = open_leftover(t);
	if (!err)
		err = open_rings(t);
	if (!err)
		err = first_names(t);
	if (!err && options->drop)
		err = privilege_drop(bpf_map__fd(t->attach.skel->maps.sums_0));
	if (err) {
		tracer_close(&t->source);
		return err;
	}
	t->attach.skel->bss->ready = true;
	t->last_ns = now_ns(CLOCK_MONOTONIC);
	*out = &t->source;
	return 0;
}
