/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Commands in flight, and what is added up when they end: the maps and what works on them. */
#ifndef STORPROTOTRACE_COMMANDS_BPF_H
#define STORPROTOTRACE_COMMANDS_BPF_H

#include "iscsi_bpf/addon_bpf.h"
#include "iscsi_bpf/slot.h"
#include "iscsi_bpf/sums_add.h"

/* Set by the loader before load. What is off costs nothing: the verifier drops it. */
const volatile struct kernel_layout layout;
const volatile __u32 cfg_slot_mask;   /* places in the table of commands in flight, less one */
const volatile __u32 cfg_hooks;	      /* bit per enum hook_id: attached */
const volatile bool cfg_claims;	      /* places are taken in `claims`: no compare-and-exchange */
const volatile bool cfg_hists_by_lun; /* histogram keys carry the LUN */
const volatile bool cfg_size_classes; /* keys carry the size class */
const volatile bool cfg_detail;	      /* struct detail is filled in */
const volatile __u64 cfg_slower_ns;   /* an event per good command that takes so long; ~0: none */
const volatile __u32 cfg_ops;	      /* filter: bit per enum iscsi_op; 0: all */
const volatile __u32 cfg_lun_count;   /* filter: LUNs in cfg_luns; 0: all */
const volatile __u64 cfg_luns[FILTER_LUNS_MAX];

/* All hooks are attached: an end without a start is a loss from now on. */
bool ready;
/* Filter: look into `unwanted`. May change while tracing: sessions come. */
bool filter_sids;
/* The generation of sums and histograms being written, 0 or 1; flipped by the reader. */
__u32 epoch;
/* Losses since load, by enum iscsi_loss. */
__u64 losses[LOSS_COUNT];

/* The answer of look_at_session(). */
struct session_seen session_seen;

/* Zeroed values for new keys: too large for the stack. Never written. */
struct sums zero_sums;
struct hists zero_hists;

/*
 * Commands in flight: an open-addressed table. A BPF hash map would cost 150 instructions per
 * look-up and 600 per insertion and deletion, this costs 15 and 60. The reader maps it.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* a power of two */
	__type(key, __u32);
	__type(value, struct slot);
} inflight SEC(".maps");

/*
 * Places taken, by index, where the kernel's BPF has no compare-and-exchange (before 5.12): whoever
 * inserts a place owns it until it deletes it.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
} claims SEC(".maps");

/* Sessions that no filter wants, by sid; one not yet known is traced and filtered by the reader. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, __u8);
} unwanted SEC(".maps");

/*
 * Commands that ended badly and whose scsi_cmnd was reused before the reader looked. The reader is
 * woken when half of it is full.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 * 1024);
} ended SEC(".maps");

/*
 * Good commands that get an event of their own, as struct command. The loader gives it its size
 * where events are wanted. The reader is woken when half of it is full.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

/*
 * Two generations of each, so that the reader has one at rest: it flips the epoch, waits until no
 * program runs that may have seen the old one, and drains the old one.
 */
struct sums_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct sums_key);
	__type(value, struct sums);
} sums_0 SEC(".maps"), sums_1 SEC(".maps");

struct hists_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct sums_key);
	__type(value, struct hists);
} hists_0 SEC(".maps"), hists_1 SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct sums_map);
} sums SEC(".maps") = {.values = {&sums_0, &sums_1}};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct hists_map);
} hists SEC(".maps") = {.values = {&hists_0, &hists_1}};

static __always_inline void count_loss(enum iscsi_loss loss)
{
	__sync_fetch_and_add(&losses[loss], 1);
}

/*
 * Multiplicative hashing; a further probe steps by an odd number of its own. Of the address its
 * lower half does: the verifier lets a pointer be cut to that, but not be multiplied.
 */
static __always_inline __u32 slot_index(__u64 sc, __u32 probe)
{
	__u32 hash;

	/* The compiler leaves the cut out where the register's upper half is not used again. */
	asm("%0 = %1" : "=w"(hash) : "w"((__u32)sc));
	hash *= 0x9e3779b1U;
	return ((hash ^ hash >> 15) + probe * (hash >> 7 | 1)) & cfg_slot_mask;
}

static __always_inline struct slot *slot_at(__u64 sc, __u32 probe)
{
	__u32 index = slot_index(sc, probe);

	return bpf_map_lookup_elem(&inflight, &index);
}

/* Where a displaced command lies; NULL: nowhere. */
static __noinline struct slot *slot_search(__u64 sc)
{
	for (__u32 probe = 1; probe < SLOT_PROBES; probe++) {
		struct slot *slot = slot_at(sc, probe);

		if (slot && slot->sc == sc)
			return slot;
	}
	return NULL;
}

static __always_inline struct slot *slot_find(__u64 sc)
{
	struct slot *home = slot_at(sc, 0);

	if (!home || home->sc == sc)
		return home;
	return home->displaced ? slot_search(sc) : NULL;
}

/*
 * Takes a place if it is free. Kernels that have no compare-and-exchange refuse a program that
 * holds one, used or not: which way is a constant of the program, not configuration.
 */
static __always_inline bool slot_take(struct slot *slot, __u64 sc, __u32 probe, const bool by_claim)
{
	__u32 index = slot_index(sc, probe);
	__u8 taken = 1;

	if (!by_claim)
		return !__sync_val_compare_and_swap(&slot->sc, 0, sc);
	if (slot->sc || bpf_map_update_elem(&claims, &index, &taken, BPF_NOEXIST))
		return false;
	slot->sc = sc;
	return true;
}

/* A place away from home, announced there first; NULL: no room. */
static __always_inline struct slot *slot_displace_by(struct slot *home, __u64 sc,
						     const bool by_claim)
{
	__sync_fetch_and_add(&home->displaced, 1);
	for (__u32 probe = 1; probe < SLOT_PROBES; probe++) {
		struct slot *slot = slot_at(sc, probe);

		if (slot && slot_take(slot, sc, probe, by_claim))
			return slot;
	}
	__sync_fetch_and_add(&home->displaced, -1);
	return NULL;
}

static __noinline struct slot *slot_displace(struct slot *home, __u64 sc)
{
	return slot_displace_by(home, sc, false);
}

static __noinline struct slot *slot_displace_claim(struct slot *home, __u64 sc)
{
	return slot_displace_by(home, sc, true);
}

static __always_inline struct inflight *inflight_find(const struct scsi_cmnd *sc)
{
	struct slot *slot = slot_find((__u64)sc);

	return slot ? &slot->command : NULL;
}

/* A place for a command that has none; NULL: no room. */
static __always_inline struct inflight *inflight_claim(const struct scsi_cmnd *sc,
						       const bool by_claim)
{
	struct slot *slot = slot_at((__u64)sc, 0);

	if (slot && !slot_take(slot, (__u64)sc, 0, by_claim))
		slot = by_claim ? slot_displace_claim(slot, (__u64)sc)
				: slot_displace(slot, (__u64)sc);
	return slot ? &slot->command : NULL;
}

/* So that the reader does not take what the place held for the next command in it. */
static __always_inline void slot_free(struct slot *slot)
{
	slot->command.first_ns = 0;
	slot->command.state = COMMAND_SUBMITTED;
	slot->sc = 0;
}

/* A command lies away from home: its place is free again, and home knows. */
static __noinline int release_displaced(struct slot *home, __u64 sc)
{
	for (__u32 probe = 1; probe < SLOT_PROBES; probe++) {
		struct slot *slot = slot_at(sc, probe);
		__u32 index = slot_index(sc, probe);

		if (!slot || slot->sc != sc)
			continue;
		slot_free(slot);
		if (cfg_claims)
			bpf_map_delete_elem(&claims, &index);
		__sync_fetch_and_add(&home->displaced, -1);
		break;
	}
	return 0;
}

static __always_inline void inflight_release(const struct scsi_cmnd *sc)
{
	__u32 index = slot_index((__u64)sc, 0);
	struct slot *home = bpf_map_lookup_elem(&inflight, &index);

	if (!home)
		return;
	if (home->sc != (__u64)sc) {
		release_displaced(home, (__u64)sc);
		return;
	}
	slot_free(home);
	if (cfg_claims)
		bpf_map_delete_elem(&claims, &index);
}

/* The value of a key in a generation, made when missing; NULL: no room. */
static __always_inline void *key_value(void *generations, __u32 generation,
				       const struct sums_key *key, const void *zero)
{
	void *map = bpf_map_lookup_elem(generations, &generation), *value;

	if (!map)
		return NULL;
	value = bpf_map_lookup_elem(map, key);
	if (value)
		return value;
	bpf_map_update_elem(map, key, zero, BPF_NOEXIST);
	return bpf_map_lookup_elem(map, key);
}

/*
 * lat_hist_bucket() behind a call. Not static: the verifier then looks at it once, by itself;
 * inlined ten times its branches multiply (6.12 gives up after a million instructions).
 */
__noinline __u64 hist_bucket(__u64 ns)
{
	return lat_hist_bucket(ns);
}

static __always_inline void hists_add_times(struct hists *h, const struct stage_times *t,
					    bool no_block)
{
	UNROLL
	for (int i = 0; i < STAGE_COUNT; i++) {
		__u64 bucket = 0;

		if (i == STAGE_BLOCK && no_block)
			continue;
		/* Most stages of most commands take no time: these need no call. */
		if (t->ns[i] >= (1ULL << LAT_HIST_MIN_SHIFT))
			bucket = hist_bucket(t->ns[i]);
		/* The verifier does not know what the call promises. */
		if (bucket < LAT_HIST_BUCKETS)
			h->bucket[i][bucket]++;
	}
}

/* Flags of an entry: the reader is woken when the ring is half full, not for each. */
static __always_inline __u64 ring_wake(void *ring)
{
	__u64 half = bpf_ringbuf_query(ring, BPF_RB_RING_SIZE) / 2;

	return bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA) > half ? BPF_RB_FORCE_WAKEUP
								 : BPF_RB_NO_WAKEUP;
}

/* `c` lies in a slot. */
static __noinline int command_event(struct inflight *c, __u32 generation)
{
	inflight_detail(c)->generation = generation;
	if (bpf_ringbuf_output(&events, c, sizeof(struct command), ring_wake(&events)))
		count_loss(LOSS_EVENT_FULL);
	return 0;
}

/*
 * Adds a well-ended command to its key. Runs in iscsi_tcp_cleanup_task, under the session's
 * back_lock: each key has one writer at a time, so plain additions do.
 */
static __noinline int command_close(struct inflight *c)
{
	struct sums_key key = {.sid = c->sid,
			       .cid = c->cid,
			       .lun = c->lun,
			       .op = c->op,
			       .size_class = c->size_class};
	/* Read once: sums and histograms of a command go to the same generation. */
	__u32 generation = *(volatile __u32 *)&epoch & 1;
	struct sums *s = key_value(&sums, generation, &key, &zero_sums);
	struct stage_times t;
	struct hists *h;

	if (!cfg_hists_by_lun)
		key.lun = LUN_ANY;
	h = key_value(&hists, generation, &key, &zero_hists);
	if (!s || !h) {
		count_loss(LOSS_KEYS_FULL);
		return 0;
	}
	stages_cut(c, &t);
	if (t.clamped)
		count_loss(LOSS_CLAMPED);
	if (stages_missing(c, cfg_hooks))
		count_loss(LOSS_MISSING_STAMP);
	if (!stages_add_up(&t))
		count_loss(LOSS_MISMATCH);
	sums_add_counts(s, c);
	sums_add_times(s, &t);
	hists_add_times(h, &t, !c->start_ns);
	if (cfg_detail && t.ns[STAGE_TOTAL] >= cfg_slower_ns)
		return command_event(c, generation);
	return 0;
}

#endif
