// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tries the declarations of each era on a live session. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/era.h"
#include "iscsi_bpf/kernel_symbol.h"
#include "iscsi_bpf/layout_check.h"
#include "iscsi_bpf/signals.h"
#include "iscsi_bpf/scout.h"

#define SESSIONS "/sys/class/iscsi_session"
#define POLL_MS	 200
/* A session that comes or goes contradicts everything for a moment. */
#define TRIES 5

/* iscsi_tcp's? Other drivers' connections have other structures behind them. */
static bool is_tcp(unsigned int sid)
{
	cleanup_file FILE *file = NULL;
	char pattern[128], name[32] = "";
	glob_t found;

	snprintf(pattern, sizeof(pattern),
		 SESSIONS "/session%u/device/../scsi_host/host*/proc_name", sid);
	if (!glob(pattern, 0, NULL, &found))
		file = fopen(found.gl_pathv[0], "re");
	globfree(&found);
	return file && fscanf(file, "%31s", name) == 1 && !strcmp(name, "iscsi_tcp");
}

static int locate_conn(struct scout *scout, struct landmarks *l)
{
	char pattern[128];
	glob_t found;
	int err = -ENOENT;

	snprintf(pattern, sizeof(pattern), SESSIONS "/session%u/device/connection%u:*", l->sid,
		 l->sid);
	if (!glob(pattern, 0, NULL, &found) &&
	    sscanf(strrchr(found.gl_pathv[0], ':'), ":%u", &l->cid) == 1)
		err = scout_device(scout, found.gl_pathv[0], &l->conn_device);
	globfree(&found);
	return err;
}

/* The LUN in `folder`, its session and its connection. */
static int locate(struct scout *scout, const char *folder, struct landmarks *l)
{
	char session[64];
	int err;

	if (sscanf(folder, SESSIONS "/session%u/", &l->sid) != 1 ||
	    sscanf(strrchr(folder, '/'), "/%*u:%*u:%*u:%lu", &l->lun) != 1 || !is_tcp(l->sid))
		return -ENOENT;
	snprintf(session, sizeof(session), SESSIONS "/session%u/device", l->sid);
	err = scout_device(scout, session, &l->session_device);
	if (!err)
		err = scout_device(scout, folder, &l->lun_device);
	return err ? err : locate_conn(scout, l);
}

static int locate_any(struct scout *scout, struct landmarks *l)
{
	int err = -ENOENT;
	glob_t luns;

	if (!glob(SESSIONS "/session*/device/target*:*/*:*:*:*", 0, NULL, &luns))
		for (size_t i = 0; err && i < luns.gl_pathc; i++)
			err = locate(scout, luns.gl_pathv[i], l);
	globfree(&luns);
	return err;
}

static int wait_for_session(const struct options *o, struct scout *scout, struct landmarks *l)
{
	if (!locate_any(scout, l))
		return 0;
	if (o->strict || o->once) {
		log_error(
			"structures of the iSCSI modules: cannot be checked: no session has a LUN");
		log_hint("this kernel has no BTF for its modules: log in to a target first");
		return -EOPNOTSUPP;
	}
	log_note("no session with a LUN yet, by which to check the structures of the iSCSI modules "
		 "(they have no BTF): waiting");
	while (locate_any(scout, l))
		if (signals_stop_requested(POLL_MS))
			return -ECANCELED;
	return 0;
}

/* Those that the kernel's symbols allow; bit per place in era_marks. */
static uint32_t eras_by_symbols(void)
{
	struct kernel_symbol symbols[2 * ERA_COUNT];
	uint32_t fit = 0;

	for (size_t i = 0; i < ERA_COUNT; i++) {
		symbols[2 * i] = (struct kernel_symbol){.name = era_marks[i].has};
		symbols[2 * i + 1] = (struct kernel_symbol){
			.name = era_marks[i].lacks ? era_marks[i].lacks : ""};
	}
	kernel_symbols_find(symbols, 2 * ERA_COUNT);
	for (size_t i = 0; i < ERA_COUNT; i++)
		if (symbols[2 * i].found && !symbols[2 * i + 1].found)
			fit |= 1U << i;
	return fit;
}

static bool believable(struct scout *scout, const struct kernel_btf *btf, const struct landmarks *l,
		       const char *source)
{
	const struct kernel_view view = {.read = scout_read, .arg = scout};
	const char *wrong = layout_contradiction(btf, &view, l);

	log_detail("structures as in %s: %s%s", source, wrong ? "no, by session " : "yes",
		   wrong ? wrong : "");
	return !wrong;
}

/* 0, -ENOENT: none fits. */
static int try_all(struct scout *scout, struct kernel_btf *btf, const struct landmarks *l)
{
	uint32_t fit;

	if (kernel_btf_has_modules(btf))
		return believable(scout, btf, l, "the files given") ? 0 : -ENOENT;
	fit = eras_by_symbols();
	for (size_t i = 0; i < ERA_COUNT; i++) {
		if (!(fit >> i & 1)) {
			log_detail("structures as in %s: no, by the kernel's symbols",
				   era_marks[i].name);
			continue;
		}
		btf->era = era_marks[i].era;
		if (believable(scout, btf, l, era_marks[i].name))
			return 0;
	}
	btf->era = 0;
	return -ENOENT;
}

static int recognise(const struct options *o, struct scout *scout, struct kernel_btf *btf)
{
	struct landmarks l;

	for (int i = 0; i < TRIES; i++) {
		int err = wait_for_session(o, scout, &l);

		if (err || !try_all(scout, btf, &l))
			return err;
		if (signals_stop_requested(POLL_MS))
			return -ECANCELED;
	}
	log_error("structures of the iSCSI modules: not known: a live session contradicts all that "
		  "are declared");
	log_hint("the kernel needs CONFIG_DEBUG_INFO_BTF_MODULES; -v shows the contradictions");
	return -EOPNOTSUPP;
}

static int era_recognise(const struct options *options, struct kernel_btf *btf)
{
	struct scout *scout = NULL;
	int err = scout_open(btf, &scout);

	if (err) {
		log_error("structures of the iSCSI modules: cannot be checked: %s", strerror(-err));
		log_hint("this kernel has no BTF for its modules, and dev_attr_show cannot be "
			 "hooked to see a live session");
		return -EOPNOTSUPP;
	}
	err = recognise(options, scout, btf);
	scout_close(scout);
	return err;
}

int era_describe(const struct options *o, struct kernel_btf *btf)
{
	int err = kernel_btf_open(btf, o);

	if (err)
		return err;
	if (kernel_btf_has_modules(btf) && !btf->from_files)
		return 0;
	if (o->attach == ATTACH_FENTRY) {
		log_error("--attach fentry: this kernel cannot: its iSCSI modules have no BTF");
		log_hint("--attach kprobe needs none");
		return -EOPNOTSUPP;
	}
	return era_recognise(o, btf);
}

const char *era_name(enum era era)
{
	for (size_t i = 0; i < ERA_COUNT; i++)
		if (era_marks[i].era == era)
			return era_marks[i].name;
	return "none";
}
