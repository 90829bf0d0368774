// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks for contradictions between a layout and live structures. */
#include "iscsi_bpf/layout_check.h"

/* Tasks whose number is looked at: two places in a row hold 0 and 1 by chance in few structures. */
#define TASKS 3

struct check {
	const struct kernel_btf *btf;
	const struct kernel_view *view;
	const char *wrong; /* the first member that is; nothing is looked at after it */
};

struct where {
	enum layout_module module;
	const char *type;
	const char *path;
	const char *name;
};

#define LIBISCSI(type, path)	 &(const struct where){MODULE_LIBISCSI, type, path, type "." path}
#define LIBISCSI_TCP(type, path) &(const struct where){MODULE_LIBISCSI_TCP, type, path, type "." path}

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

/* The LUN's device is found from inside the session's, so both ends of the offset are known. */
static void check_lun(struct check *c, const struct landmarks *l, uint64_t session)
{
	uint64_t host = get(c, session, LIBISCSI("iscsi_session", "host"));
	uint64_t sdev = l->lun_device - offset_of(c, LIBISCSI("scsi_device", "sdev_gendev"));
	uint64_t target = get(c, l->lun_device, LIBISCSI("device", "parent"));

	expect(c, target, LIBISCSI("device", "parent"), l->session_device);
	expect(c, sdev, LIBISCSI("scsi_device", "host"), host);
	expect(c, sdev, LIBISCSI("scsi_device", "lun"), l->lun);
}

const char *layout_contradiction(const struct kernel_btf *btf, const struct kernel_view *view,
				 const struct landmarks *l)
{
	struct check c = {.btf = btf, .view = view};
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
