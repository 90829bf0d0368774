// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tells the BPF side which sessions to leave alone: by the filter, and by their transport. */
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "common/log.h"
#include "iscsi_bpf/unwanted.h"
#include "iscsi_bpf/wire.h"
#include "iscsi_stats.skel.h"

/* During a login names are not there yet: commands that follow must not be missed meanwhile. */
static bool name_unwanted(const struct name_list *wanted, const char *name)
{
	return name[0] && !name_list_match(wanted, name);
}

/* Is a session of no interest to the filter? By what cannot change during its life only. */
static bool session_unwanted(const struct filter *f, const struct session_name *s)
{
	return name_unwanted(&f->targets, s->target) ||
	       name_unwanted(&f->initiators, s->initiator) || !id_list_match(&f->sids, s->sid) ||
	       !id_list_match(&f->cids, s->cid);
}

static bool filters_sessions(const struct filter *f)
{
	return f->targets.count || f->initiators.count || f->sids.count || f->cids.count;
}

bool unwanted_transport_traced(const char *transport)
{
	static const char *const traced[] = {"", "iscsi_tcp", "cxgb3i", "cxgb4i"};

	for (size_t i = 0; i < sizeof(traced) / sizeof(traced[0]); i++)
		if (!strcmp(transport, traced[i]))
			return true;
	return false;
}

/* Marks a session as one to leave alone; says so once when it is for its transport. */
static void leave_alone(struct iscsi_stats_bpf *skel, __u32 sid, const char *transport)
{
	int fd = bpf_map__fd(skel->maps.unwanted);
	__u8 yes = 1;

	if (bpf_map_update_elem(fd, &sid, &yes, BPF_NOEXIST) || unwanted_transport_traced(transport))
		return;
	log_warn("session %u: not traced: its transport is %s", sid, transport);
}

/*
 * Sids grow and start again only with the modules; then what was said of a session that is gone
 * does not hold for the next. Until then the list stays short.
 */
static void forget_gone(struct iscsi_stats_bpf *skel, const struct reading *r)
{
	int fd = bpf_map__fd(skel->maps.unwanted);
	__u32 sid, next;
	int last = bpf_map_get_next_key(fd, NULL, &next);

	while (!last) {
		sid = next;
		last = bpf_map_get_next_key(fd, &sid, &next);
		if (!reading_find_session(r, sid))
			bpf_map_delete_elem(fd, &sid);
	}
}

void unwanted_update(struct iscsi_stats_bpf *skel, const struct names *names,
		     const struct filter *f, const struct reading *r)
{
	bool any = filters_sessions(f);

	forget_gone(skel, r);
	for (size_t i = 0; i < r->session_count; i++) {
		const struct session_name *s = &r->sessions[i];
		const char *transport = names_transport(names, s->sid);

		any |= !unwanted_transport_traced(transport);
		if (!unwanted_transport_traced(transport) || session_unwanted(f, s))
			leave_alone(skel, s->sid, transport);
		else
			bpf_map_delete_elem(bpf_map__fd(skel->maps.unwanted), &s->sid);
	}
	skel->bss->filter_sids = any;
}
