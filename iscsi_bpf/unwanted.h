/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sessions that are not traced at all. */
#ifndef STORPROTOTRACE_UNWANTED_H
#define STORPROTOTRACE_UNWANTED_H

#include "common/filter.h"
#include "iscsi_bpf/names.h"

struct iscsi_stats_bpf;

/*
 * Brings the BPF side's list up to date with the sessions of the reading: unwanted are those that
 * the filter rules out by what cannot change during a session's life, and those over a transport
 * that the hooks do not follow, which is said once each. A session not in the list is traced.
 */
void unwanted_update(struct iscsi_stats_bpf *skel, const struct names *names,
		     const struct filter *f, const struct reading *r);

/*
 * Hooked are the functions of TCP; the other transports' commands never pass most of them. A
 * transport that is not known, "", is taken for one that does.
 */
bool unwanted_transport_traced(const char *transport);

#endif
