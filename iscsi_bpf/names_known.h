/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is known of sessions and LUNs, between the scan of sysfs and those who ask for names. */
#ifndef STORPROTOTRACE_NAMES_KNOWN_H
#define STORPROTOTRACE_NAMES_KNOWN_H

#include "iscsi_bpf/names.h"

#define HOST_UNKNOWN UINT32_MAX

struct known_session {
	struct session_name name;
	uint32_t host;
	char transport[32];
	uint64_t seen; /* number of the refresh that saw it last */
};

struct known_lun {
	struct lun_name name;
	uint64_t seen;
};

struct names {
	char *root;
	uint64_t refresh;  /* number of the running or last refresh */
	uint64_t complete; /* of the last one that did not fail: what it missed is gone */
	struct known_session *sessions;
	size_t session_count;
	struct known_lun *luns;
	size_t lun_count;
	size_t lun_next; /* where the next LUN looked for probably is */
};

/* The session when it is known, else NULL. */
struct known_session *known_session_find(const struct names *names, uint32_t sid);

/* Finds or adds, with its ids set. The pointer is good until the next addition. NULL: no memory. */
struct known_session *known_session_get(struct names *names, uint32_t sid);
struct known_lun *known_lun_get(struct names *names, uint32_t sid, uint64_t lun);

/* Forgets all LUNs of a session. */
void known_luns_drop(struct names *names, uint32_t sid);

#endif
