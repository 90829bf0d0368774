// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Walks along the kernel's list of sessions, a BPF program reading one link at a time. */
#include "iscsi_bpf/gauges.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "common/log.h"
#include "iscsi_bpf/kernel_symbol.h"
#include "iscsi_bpf/wire.h"
#include "iscsi_stats.skel.h"

/* A list that changes under the walk must not lead it on for ever. */
#define LINKS_MAX 65536

uint64_t gauges_find_list(void)
{
	struct kernel_symbol list = {.name = "sesslist", .module = "scsi_transport_iscsi"};

	kernel_symbols_find(&list, 1);
	if (list.found && list.address)
		log_detail("list of sessions: found");
	else
		log_detail("list of sessions: not found, cmdsn_window and cmds_max are unknown");
	return list.found ? list.address : 0;
}

static int look_at(struct iscsi_stats_bpf *skel, uint64_t link, struct session_seen *seen)
{
	__u64 args[] = {link};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));
	int err = bpf_prog_test_run_opts(bpf_program__fd(skel->progs.look_at_session), &opts);

	*seen = skel->bss->session_seen;
	return err;
}

/* Sysfs says which sessions there are; nothing is added. */
static void take(struct reading *r, const struct session_seen *seen)
{
	struct session_name *session;

	if (!seen->cmds_max || !reading_find_session(r, seen->sid))
		return;
	session = reading_session(r, seen->sid);
	session->cmds_max = seen->cmds_max;
	session->window_known = seen->open;
	session->cmdsn_window = seen->open ? seen->window : 0;
}

int gauges_read(struct iscsi_stats_bpf *skel, uint64_t list, struct reading *r)
{
	uint64_t link = list;
	struct session_seen seen;

	for (int i = 0; link && i < LINKS_MAX; i++) {
		int err = look_at(skel, link, &seen);

		if (err)
			return err;
		/* The list's head is in no session. */
		if (link != list)
			take(r, &seen);
		link = seen.next == list ? 0 : seen.next;
	}
	return 0;
}
