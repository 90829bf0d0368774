/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which commands are meant: filters of the command line, AND-ed; values of one kind, OR-ed. */
#ifndef STORPROTOTRACE_FILTER_H
#define STORPROTOTRACE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "common/reading.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A growing list of strings it owns. */
struct name_list {
	char **names;
	size_t count;
};

/* A growing list of numbers it owns. */
struct id_list {
	uint64_t *ids;
	size_t count;
};

/* An empty list matches everything; all lists empty: the filter matches everything. */
struct filter {
	struct name_list targets;    /* exact name or shell pattern (fnmatch(3)) */
	struct name_list initiators; /* the same */
	struct name_list disks;	     /* "sda", "8:0", "dm-0" or a multipath name; no "/dev/" */
	struct id_list sids;
	struct id_list cids;
	struct id_list luns;
	uint32_t ops; /* bit per enum iscsi_op; 0 matches every op */
	bool no_session_events; /* events of sessions match never */
	/* of events only: commands that took less, stuck ones that are younger, do not match */
	uint64_t slower_ns;
	uint64_t stuck_ns;
};

/* Appends a copy. 0 or -ENOMEM. */
int name_list_add(struct name_list *list, const char *name);
int id_list_add(struct id_list *list, uint64_t id);

/* True when the list is empty or holds it (names: when one of its patterns matches). */
bool name_list_match(const struct name_list *list, const char *name);
bool id_list_match(const struct id_list *list, uint64_t id);

/* Frees what the filter owns and leaves it empty. NULL is fine. */
void filter_deinit(struct filter *f);

/* True when nothing is filtered. */
bool filter_empty(const struct filter *f);

/*
 * Does this key of the reading match? Names come from the reading's sessions and LUNs; a name
 * that is not known there is the empty string (which a pattern may match).
 */
bool filter_match(const struct filter *f, const struct reading *r, const struct sums_key *key);

/* The same for a session as a whole: by sid, cid and names; the rest of the filter is passed over. */
bool filter_match_session(const struct filter *f, const struct session_name *session);

/*
 * Does an event match? One of a whole session does when any of the session's commands could.
 */
bool filter_match_event(const struct filter *f, const struct reading *r, const struct event *event);

/*
 * Values of the filter that name nothing the reading's sessions and LUNs have, as "sid 7",
 * "target iqn.x", ...: calls `say` once per value. Returns how many.
 */
size_t filter_absent(const struct filter *f, const struct reading *r,
		     void (*say)(void *arg, const char *what), void *arg);

#ifdef __cplusplus
}
#endif

#endif
