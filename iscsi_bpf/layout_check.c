// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks for contradictions between a layout and live structures. */
#include <stdbool.h>
#include "iscsi_bpf/layout_check.h"

/* Tasks whose number is looked at: two places in a row hold 0 and 1 by chance in few structures. */
#define TASKS 3

/* Requests looked at for a command; a limit for the case that their number is misread. */
#define REQUESTS_MAX 4096
/* No scsi_cmnd was ever larger. */
#define MAX_COMMAND 1024

struct check {
	const struct kernel_btf *btf;
	const struct kernel_view *view;
	uint64_t request_size;
	const char *wrong; /* the first member that is; nothing is looked at after it */
};

struct where {
	enum layout_module module;
	const char *type;
	const char *path;
	const char *name;
};

#define LIBISCSI(type, path)                                                                       \
	&(const struct where)                                                                      \
	{                                                                                          \
		MODULE_LIBISCSI, type, path, type "." path                                         \
	}
#define LIBISCSI_TCP(type, path)                                                                   \
	&(const struct where)                                                                      \
	{                                                                                          \
		MODULE_LIBISCSI_TCP, type, path, type "." path                                     \
	}

static uint64_t offset_of(struct check *c, const struct where *w)
{
	int offset = layout_find(c->btf, w->module, w->type, w->path, NULL, NULL);

	if (offset < 0 && !c->wrong)
		c->wrong = w->name;
	return offset < 0 ? 0 : offset;
}

static uint64_t get(struct check *c, uint64_t structure, const struct where *w)
{
	uint64_t value = 0, offset = offset_of(c, w);

	if (!c->wrong && c->view->read(c->view->arg, structure + offset, &value))
		c->wrong = w->name;
	return value;
}

static void expect(struct check *c, uint64_t structure, const struct where *w, uint64_t value)
{
	uint64_t found = get(c, structure, w);

	if (!c->wrong && found != value)
		c->wrong = w->name;
}

static void expect_u32(struct check *c, uint64_t structure, const struct where *w, uint32_t value)
{
	uint64_t found = get(c, structure, w);

	if (!c->wrong && (uint32_t)found != value)
		c->wrong = w->name;
}

/* Tasks know their place in the session's table. */
static void check_tasks(struct check *c, uint64_t session)
{
	const struct where *cmds = LIBISCSI("iscsi_session", "cmds");
	uint64_t table = get(c, session, cmds), task;

	for (uint32_t i = 0; !c->wrong && i < TASKS; i++) {
		if (c->view->read(c->view->arg, table + i * sizeof(uint64_t), &task))
			c->wrong = cmds->name;
		expect_u32(c, task, LIBISCSI("iscsi_task", "itt"), i);
	}
}

static void check_conn(struct check *c, const struct landmarks *l, uint64_t session)
{
	uint64_t conn = get(c, session, LIBISCSI("iscsi_session", "leadconn"));
	uint64_t cls_conn = l->conn_device - offset_of(c, LIBISCSI("iscsi_cls_conn", "dev"));
	uint64_t tcp_conn = get(c, conn, LIBISCSI("iscsi_conn", "dd_data"));

	expect(c, conn, LIBISCSI("iscsi_conn", "session"), session);
	expect_u32(c, conn, LIBISCSI("iscsi_conn", "id"), l->cid);
	expect(c, conn, LIBISCSI("iscsi_conn", "cls_conn"), cls_conn);
	expect(c, cls_conn, LIBISCSI("iscsi_cls_conn", "dd_data"), conn);
	expect_u32(c, cls_conn, LIBISCSI("iscsi_cls_conn", "cid"), l->cid);
	expect(c, tcp_conn, LIBISCSI_TCP("iscsi_tcp_conn", "iscsi_conn"), conn);
}

/*
 * Is the request followed by a command to a LUN of this host, as far as can be told of one that is
 * over or was never used?
 */
static bool is_command(struct check *c, uint64_t request, uint64_t host)
{
	uint64_t sc = request + c->request_size, sdev, cdb;
	bool pointer = false, own;

	sdev = get(c, sc, LIBISCSI("scsi_cmnd", "device"));
	own = sdev && get(c, sdev, LIBISCSI("scsi_device", "host")) == host &&
	      get(c, sdev, LIBISCSI("scsi_device", "request_queue")) ==
		      get(c, request, LIBISCSI("request", "q")) &&
	      get(c, sc, LIBISCSI("scsi_cmnd", "sense_buffer"));
	/* Until 5.18 the CDB was pointed to; commands of the block layer have it within themselves.
	 */
	layout_find(c->btf, MODULE_LIBISCSI, "scsi_cmnd", "cmnd", NULL, &pointer);
	if (own && pointer) {
		cdb = get(c, sc, LIBISCSI("scsi_cmnd", "cmnd"));
		own = cdb - sc < MAX_COMMAND;
	}
	/* Until 5.15 the command pointed back. */
	if (own && layout_find(c->btf, MODULE_LIBISCSI, "scsi_cmnd", "request", NULL, NULL) >= 0)
		own = get(c, sc, LIBISCSI("scsi_cmnd", "request")) == request;
	return own && !c->wrong;
}

/* A LUN is found by commands: the host's requests, which are never freed, still hold some. */
static void check_commands(struct check *c, uint64_t sdev, uint64_t host)
{
	uint64_t queue = get(c, sdev, LIBISCSI("scsi_device", "request_queue"));
	uint64_t set = get(c, queue, LIBISCSI("request_queue", "tag_set"));
	uint64_t hctx_tags = get(c, set, LIBISCSI("blk_mq_tag_set", "tags")), tags, table, request;
	uint32_t count;

	if (!c->wrong && c->view->read(c->view->arg, hctx_tags, &tags))
		c->wrong = "blk_mq_tag_set.tags";
	if (c->wrong)
		return;
	count = get(c, tags, LIBISCSI("blk_mq_tags", "nr_tags"));
	table = get(c, tags, LIBISCSI("blk_mq_tags", "static_rqs"));
	for (uint32_t i = 0; i < count && i < REQUESTS_MAX; i++) {
		struct check command = *c;

		if (!c->view->read(c->view->arg, table + i * sizeof(uint64_t), &request) &&
		    is_command(&command, request, host))
			return;
	}
	if (!c->wrong)
		c->wrong = "scsi_cmnd.device";
}

/* The LUN's device is found from inside the session's, so both ends of the offset are known. */
static void check_lun(struct check *c, const struct landmarks *l, uint64_t session)
{
	uint64_t host = get(c, session, LIBISCSI("iscsi_session", "host"));
	uint64_t sdev = l->lun_device - offset_of(c, LIBISCSI("scsi_device", "sdev_gendev"));
	uint64_t target = get(c, l->lun_device, LIBISCSI("device", "parent"));

	expect(c, target, LIBISCSI("device", "parent"), l->session_device);
	expect(c, sdev, LIBISCSI("scsi_device", "host"), host);
	expect(c, sdev, LIBISCSI("scsi_device", "lun"), l->lun);
	check_commands(c, sdev, host);
}

const char *layout_contradiction(const struct kernel_btf *btf, const struct kernel_view *view,
				 const struct landmarks *l)
{
	struct check c = {.btf = btf, .view = view, .request_size = layout_request_size(btf)};
	uint64_t cls_session, session;

	cls_session = l->session_device - offset_of(&c, LIBISCSI("iscsi_cls_session", "dev"));
	expect_u32(&c, cls_session, LIBISCSI("iscsi_cls_session", "sid"), l->sid);
	session = get(&c, cls_session, LIBISCSI("iscsi_cls_session", "dd_data"));
	expect(&c, session, LIBISCSI("iscsi_session", "cls_session"), cls_session);
	check_conn(&c, l, session);
	check_tasks(&c, session);
	check_lun(&c, l, session);
	return c.wrong;
}
