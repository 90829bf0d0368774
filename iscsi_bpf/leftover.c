// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rare ends: the reader adds up here what the hot path does not see the end of. */
#include <errno.h>
#include <time.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "iscsi_bpf/leftover.h"
#include "iscsi_bpf/sums_add.h"
#include "iscsi_stats.skel.h"

/* Younger entries are not looked into: nearly all of them end by themselves. */
#define SWEEP_AGE_NS 1000000000ULL

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static struct sums_key command_key(const struct inflight *c)
{
	return (struct sums_key){.sid = c->sid,
				 .cid = c->cid,
				 .lun = c->lun,
				 .op = c->op,
				 .size_class = c->size_class};
}

static int add_times(struct leftover *l, const struct inflight *c, const struct stage_times *t)
{
	struct sums_key key = command_key(c);
	struct reading_hist *hist;

	if (!l->hists_by_lun)
		key.lun = LUN_ANY;
	hist = reading_hist(l->reading, &key);
	if (!hist)
		return -ENOMEM;
	for (int stage = 0; stage < STAGE_COUNT; stage++)
		if (stage != STAGE_BLOCK || c->start_ns)
			hist->bucket[stage][lat_hist_bucket(t->ns[stage])]++;
	return 0;
}

/* What a command went through that is not counted among those that ended. */
static void add_attempts(struct sums *s, const struct inflight *c)
{
	s->pdus += c->pdus;
	sums_add_refused(s, c);
	s->no_task += c->no_task;
	s->retries += c->retries;
	s->aborted += c->aborted;
	s->disrupted += c->disrupted;
}

/*
 * Adds a command that is over. One with a cleanup stamp ended there; one that never got a task has
 * no end that is known, and counts as such without time; of any other the end was not seen.
 */
static int close_command(struct leftover *l, const struct inflight *c)
{
	struct sums_key key = command_key(c);
	struct reading_row *row;
	struct stage_times t;
	int err;

	if (c->state == COMMAND_DEQUEUED) {
		l->reading->loss[LOSS_STALE]++;
		return 0;
	}
	row = reading_row(l->reading, &key);
	if (!row)
		return -ENOMEM;
	if (c->state != COMMAND_FAILED) {
		add_attempts(&row->sums, c);
		row->sums.no_task++;
		return 0;
	}
	stages_cut_failed(c, &t);
	l->reading->loss[LOSS_CLAMPED] += t.clamped > 0;
	l->reading->loss[LOSS_MISMATCH] += !stages_add_up(&t);
	sums_add_counts(&row->sums, c);
	sums_add_times(&row->sums, &t);
	err = add_times(l, c, &t);
	return err ? err : command_event_add(l->events, l->reading, c, &t);
}

/* Asks the BPF side, which can look at the request; on SWEEP_GONE it freed the entry. */
static int sweep(const struct leftover *l, __u64 sc, bool force, enum sweep_verdict *verdict)
{
	__u64 args[] = {sc, force};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));
	int err = bpf_prog_test_run_opts(bpf_program__fd(l->skel->progs.sweep), &opts);

	*verdict = opts.retval;
	return err;
}

static int count_inflight(struct leftover *l, const struct inflight *c, enum iscsi_stage stage,
			  uint64_t now)
{
	struct sums_key key = command_key(c);
	struct reading_row *row = reading_row(l->reading, &key);
	uint64_t start = c->start_ns ? c->start_ns : c->first_ns;
	struct inflight_stage *in;

	if (!row)
		return -ENOMEM;
	row->inflight++;
	in = &row->stages[stage];
	in->count++;
	if (now > start && in->oldest_ns < now - start)
		in->oldest_ns = now - start;
	return 0;
}

/* A session that is gone, or an age beyond the limit, ends what seems to be alive. */
static bool given_up(const struct leftover *l, const struct inflight *c, uint64_t age)
{
	return age > l->max_age_ns || (age > SWEEP_AGE_NS && !names_has_session(l->names, c->sid));
}

static int still_in_flight(struct leftover *l, size_t place, const struct slot *slot,
			   enum iscsi_stage stage)
{
	uint64_t now = now_ns();
	struct stuck_found found = {.sc = slot->sc,
				    .now_ns = now,
				    .wall_ns = l->events->wall_ns,
				    .place = place,
				    .stage = stage,
				    .command = &slot->command};
	int err = stuck_look(l->stuck, &found, l->reading);

	return err ? err : count_inflight(l, &slot->command, stage, now);
}

static int look_at(struct leftover *l, size_t place, const struct slot *slot)
{
	const struct inflight *c = &slot->command;
	uint64_t now = now_ns(), age = now > c->first_ns ? now - c->first_ns : 0;
	enum sweep_verdict verdict = SWEEP_ALIVE;
	int err = 0;

	if (c->state == COMMAND_FAILED || age > SWEEP_AGE_NS)
		err = sweep(l, slot->sc, given_up(l, c, age), &verdict);
	if (err || verdict == SWEEP_UNKNOWN)
		return err;
	if (verdict == SWEEP_GONE)
		return close_command(l, c);
	/* One that iscsi_queuecommand ended without a task still looks as if it were queued. */
	return still_in_flight(l, place, slot,
			       verdict == SWEEP_WAITING ? STAGE_BUSY : stage_open(c));
}

int leftover_ended(void *leftover, void *data, size_t size)
{
	struct leftover *l = leftover;
	bool detail = l->events->slower_ns != SLOWER_NONE;

	if (size < (detail ? sizeof(struct command) : sizeof(struct inflight)))
		return -EBADMSG;
	return close_command(l, data);
}

int leftover_sweep(struct leftover *l)
{
	for (size_t i = 0; i < l->slot_count; i++) {
		__u64 sc = __atomic_load_n(&l->slots[i].sc, __ATOMIC_ACQUIRE);
		struct slot slot;
		int err;

		if (!sc)
			continue;
		slot = l->slots[i];
		/* It ended meanwhile, or has only just begun and nothing is written yet. */
		if (__atomic_load_n(&l->slots[i].sc, __ATOMIC_ACQUIRE) != sc ||
		    !slot.command.first_ns)
			continue;
		slot.sc = sc;
		err = look_at(l, i, &slot);
		if (err)
			return err;
	}
	stuck_walked(l->stuck);
	return 0;
}
