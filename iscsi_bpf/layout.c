// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Resolves structure members to offsets: by the modules' BTF, the kernel's, or their declaration.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include "common/log.h"
#include "iscsi_bpf/computed.h"
#include "iscsi_bpf/layout.h"

struct member {
	enum layout_module module;
	const char *type;
	const char *path;
	size_t out;    /* offset of the result in struct kernel_layout */
	bool optional; /* without it less is told, LAYOUT_MISSING says so */
};

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define MEMBER(module, type, path, field)                                                          \
	{                                                                                          \
		MODULE_##module, type, path, offsetof(struct kernel_layout, field), false          \
	}
#define OPTIONAL(module, type, path, field)                                                        \
	{                                                                                          \
		MODULE_##module, type, path, offsetof(struct kernel_layout, field), true           \
	}

static const struct member members[] = {
	MEMBER(LIBISCSI, "iscsi_task", "sc", task_sc),
	MEMBER(LIBISCSI, "iscsi_task", "hdr", task_hdr),
	MEMBER(LIBISCSI, "iscsi_task", "imm_count", task_immediate),
	MEMBER(LIBISCSI, "iscsi_task", "unsol_r2t.data_length", task_unsolicited),
	MEMBER(LIBISCSI, "iscsi_task", "conn", task_conn),
	MEMBER(LIBISCSI, "iscsi_task", "state", task_state),
	MEMBER(LIBISCSI, "iscsi_task", "dd_data", task_dd_data),
	MEMBER(LIBISCSI, "iscsi_task", "hdr_itt", task_hdr_itt),
	MEMBER(LIBISCSI, "iscsi_task", "cmdsn", task_cmdsn),
	MEMBER(LIBISCSI, "iscsi_conn", "session", conn_session),
	MEMBER(LIBISCSI, "iscsi_conn", "id", conn_id),
	MEMBER(LIBISCSI, "iscsi_session", "cmds", session_cmds),
	MEMBER(LIBISCSI, "iscsi_session", "state", session_state),
	MEMBER(LIBISCSI, "iscsi_session", "queued_cmdsn", session_queued_cmdsn),
	MEMBER(LIBISCSI, "iscsi_session", "max_cmdsn", session_max_cmdsn),
	MEMBER(LIBISCSI, "iscsi_session", "cmds_max", session_cmds_max),
	MEMBER(LIBISCSI, "iscsi_session", "cls_session", session_cls),
	OPTIONAL(LIBISCSI, "iscsi_session", "cmdpool.queue.kfifo.in", session_tasks_in),
	OPTIONAL(LIBISCSI, "iscsi_session", "cmdpool.queue.kfifo.out", session_tasks_out),
	MEMBER(LIBISCSI_TCP, "iscsi_tcp_task", "r2t", tcp_task_r2t),
	MEMBER(LIBISCSI_TCP, "iscsi_tcp_task", "r2tqueue.kfifo.in", tcp_task_r2t_in),
	MEMBER(LIBISCSI_TCP, "iscsi_tcp_task", "r2tqueue.kfifo.out", tcp_task_r2t_out),
	MEMBER(LIBISCSI_TCP, "iscsi_tcp_conn", "iscsi_conn", tcp_conn_conn),
	MEMBER(LIBISCSI_TCP, "iscsi_tcp_conn", "in.hdr_buf", tcp_conn_hdr),
	MEMBER(LIBISCSI, "iscsi_cls_session", "sid", cls_session_sid),
	MEMBER(LIBISCSI, "iscsi_cls_session", "dd_data", cls_session_data),
	MEMBER(LIBISCSI, "iscsi_cls_session", "sess_list", cls_session_list),
	MEMBER(LIBISCSI, "iscsi_cls_session", "dev", cls_session_dev),
	MEMBER(LIBISCSI, "scsi_cmnd", "device", sc_device),
	MEMBER(LIBISCSI, "scsi_cmnd", "cmnd", sc_cmnd),
	MEMBER(LIBISCSI, "scsi_cmnd", "sdb.length", sc_length),
	MEMBER(LIBISCSI, "scsi_cmnd", "result", sc_result),
	MEMBER(LIBISCSI, "scsi_cmnd", "jiffies_at_alloc", sc_jiffies),
	MEMBER(LIBISCSI, "scsi_cmnd", "state", sc_state),
	MEMBER(LIBISCSI, "scsi_cmnd", "sense_buffer", sc_sense),
	MEMBER(LIBISCSI, "scsi_device", "lun", sdev_lun),
	MEMBER(LIBISCSI, "scsi_device", "sdev_gendev", sdev_gendev),
	MEMBER(LIBISCSI, "device", "parent", device_parent),
	MEMBER(LIBISCSI, "request", "start_time_ns", request_start),
	MEMBER(LIBISCSI, "request", "ref", request_ref),
	MEMBER(LIBISCSI, "request", "state", request_state),
};

static const struct member session_members[] = {
	MEMBER(LIBISCSI, "iscsi_conn", "stop_stage", conn_stop_stage),
	MEMBER(LIBISCSI, "iscsi_cls_session", "state", cls_session_state),
	MEMBER(LIBISCSI, "iscsi_cls_session", "block_work", cls_session_block_work),
	MEMBER(LIBISCSI, "iscsi_cls_session", "unblock_work", cls_session_unblock_work),
	MEMBER(LIBISCSI, "iscsi_cls_conn", "cid", cls_conn_cid),
	MEMBER(LIBISCSI, "iscsi_cls_conn", "dev", cls_conn_dev),
	MEMBER(LIBISCSI, "iscsi_cls_conn", "dd_data", cls_conn_dd_data),
};

static const struct btf_type *resolve_type(const struct btf *btf, int *id)
{
	*id = btf__resolve_type(btf, *id);
	return *id < 0 ? NULL : btf__type_by_id(btf, *id);
}

/* Offset of a direct member, or of one inside its anonymous members; *id: struct in, member out. */
static int find_member(const struct btf *btf, const char *name, size_t length, int *id)
{
	const struct btf_type *type = resolve_type(btf, id);
	const struct btf_member *m;

	if (!type || !btf_is_composite(type))
		return -ENOENT;
	m = btf_members(type);
	for (int i = 0; i < btf_vlen(type); i++, m++) {
		const char *member = btf__name_by_offset(btf, m->name_off);
		int offset = btf_member_bit_offset(type, i) / 8, inner = m->type, found;

		if (*member) {
			if (strlen(member) != length || strncmp(member, name, length))
				continue;
			*id = m->type;
			return offset;
		}
		found = find_member(btf, name, length, &inner);
		if (found < 0)
			continue;
		*id = inner;
		return offset + found;
	}
	return -ENOENT;
}

int layout_member(const struct btf *btf, int id, const char *path, int *out_type)
{
	int offset = 0;

	while (id >= 0 && *path) {
		size_t length = strcspn(path, ".");
		int found = find_member(btf, path, length, &id);

		if (found < 0)
			return found;
		offset += found;
		path += length + (path[length] == '.');
	}
	if (id < 0)
		return -ENOENT;
	if (out_type)
		*out_type = id;
	return offset;
}

const char *layout_rung_name(enum layout_rung rung)
{
	static const char *const names[] = {"module BTF", "kernel BTF", "computed", "none"};

	return names[rung];
}

static int find_in_btf(const struct btf *btf, int id, const char *path, bool *is_pointer)
{
	const struct btf_type *member;
	int offset = layout_member(btf, id, path, &id);

	if (offset < 0 || !is_pointer)
		return offset;
	member = resolve_type(btf, &id);
	*is_pointer = member && btf_is_ptr(member);
	return offset;
}

int layout_find(const struct kernel_btf *btf, enum layout_module module, const char *type,
		const char *path, enum layout_rung *rung, bool *is_pointer)
{
	const struct btf *own = module == MODULE_LIBISCSI ? btf->libiscsi : btf->libiscsi_tcp;
	int id = kernel_btf_own_type(btf, own, type, BTF_KIND_STRUCT), offset;
	enum layout_rung found = RUNG_MODULE_BTF;

	if (id < 0) {
		own = btf->vmlinux;
		id = kernel_btf_type(btf, type, BTF_KIND_STRUCT);
		found = id < 0 ? RUNG_COMPUTED : RUNG_KERNEL_BTF;
	}
	if (id < 0)
		offset = computed_member(btf, type, path, is_pointer);
	else
		offset = find_in_btf(own, id, path, is_pointer);
	if (rung)
		*rung = offset < 0 ? RUNG_NONE : found;
	return offset;
}

/* What changed its shape between kernels, newest first. */
static int resolve_changed(const struct kernel_btf *btf, struct kernel_layout *out)
{
	bool cdb_is_pointer = false;
	int resid;

	/* 5.15 moved the residual out of the embedded struct scsi_request. */
	resid = layout_find(btf, MODULE_LIBISCSI, "scsi_cmnd", "resid_len", NULL, NULL);
	if (resid < 0)
		resid = layout_find(btf, MODULE_LIBISCSI, "scsi_cmnd", "req.resid_len", NULL, NULL);
	if (resid < 0)
		return resid;
	out->sc_resid = resid;
	/* 5.18 made the CDB an array in the command instead of a pointer. */
	layout_find(btf, MODULE_LIBISCSI, "scsi_cmnd", "cmnd", NULL, &cdb_is_pointer);
	out->sc_cmnd_pointer = cdb_is_pointer;
	return 0;
}

static int say_missing(const struct member *m)
{
	log_error("structure member %s.%s: cannot be found on this kernel", m->type, m->path);
	log_hint("neither BTF nor a declaration that fits this kernel has it");
	return -ENOENT;
}

uint32_t layout_request_size(const struct kernel_btf *btf)
{
	int id = kernel_btf_type(btf, "request", BTF_KIND_STRUCT);

	return id < 0 ? 0 : btf__type_by_id(btf->vmlinux, id)->size;
}

/* NULL: all are resolved; else the first that is not there. */
static const struct member *resolve(const struct kernel_btf *btf, const struct member *table,
				    size_t count, struct kernel_layout *out)
{
	for (const struct member *m = table; m < table + count; m++) {
		enum layout_rung rung;
		int offset = layout_find(btf, m->module, m->type, m->path, &rung, NULL);

		if (offset < 0 && !m->optional)
			return m;
		if (offset < 0)
			log_detail("%s.%s: this kernel has none", m->type, m->path);
		else
			log_detail("%s.%s lies at %d (%s)", m->type, m->path, offset,
				   layout_rung_name(rung));
		*(__u32 *)((char *)out + m->out) = offset < 0 ? LAYOUT_MISSING : (__u32)offset;
	}
	return NULL;
}

int layout_resolve_session(const struct kernel_btf *btf, struct kernel_layout *out)
{
	const struct member *missing =
		resolve(btf, session_members, ARRAY_SIZE(session_members), out);

	if (!missing)
		return 0;
	log_detail("structure member %s.%s: cannot be found on this kernel: no events of sessions",
		   missing->type, missing->path);
	return -ENOENT;
}

int layout_resolve(const struct kernel_btf *btf, struct kernel_layout *out)
{
	static const struct member residual = {.type = "scsi_cmnd", .path = "resid_len"};
	const struct member *missing;

	memset(out, 0, sizeof(*out));
	missing = resolve(btf, members, ARRAY_SIZE(members), out);
	if (missing)
		return say_missing(missing);
	if (resolve_changed(btf, out))
		return say_missing(&residual);
	out->request_size = layout_request_size(btf);
	return 0;
}
