// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lays out declared structures: each member at the next multiple of its alignment. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>
#include "iscsi_bpf/computed.h"
#include "iscsi_bpf/layout.h"

struct extent {
	size_t size;
	size_t align;
};

struct declared_member {
	char type[32];
	char name[48];
	unsigned int count;
};

static const struct {
	const char *name;
	size_t size;
} basic_types[] = {
	{"bool", 1},
	{"u8", 1},
	{"u16", 2},
	{"u32", 4},
	{"int", 4},
	{"u64", 8},
	{"long", sizeof(long)},
	{"ptr", sizeof(void *)},
};

/* Takes the first member off the text; NULL: there is none. */
static const char *next_member(const char *text, struct declared_member *m)
{
	const char *end = strchr(text, ';');

	m->count = 1;
	if (!end || sscanf(text, " %31s %47[^][; ][%u]", m->type, m->name, &m->count) < 2)
		return NULL;
	return end + 1;
}

static size_t place(size_t offset, const struct extent *e)
{
	return (offset + e->align - 1) / e->align * e->align;
}

static int type_extent(const struct kernel_btf *btf, const char *type, struct extent *out);

/* Walks up to the member named, or to the end when `name` is NULL. Its offset, or the end's. */
static int walk(const struct kernel_btf *btf, const char *text, const char *name, size_t length,
		struct declared_member *m, size_t *align)
{
	size_t offset = 0;

	*align = 1;
	while ((text = next_member(text, m))) {
		struct extent e;
		int err = type_extent(btf, m->type, &e);

		if (err)
			return err;
		offset = place(offset, &e);
		if (name && strlen(m->name) == length && !strncmp(m->name, name, length))
			return offset;
		offset += e.size * m->count;
		*align = e.align > *align ? e.align : *align;
	}
	return name ? -ENOENT : (int)offset;
}

static int declared_extent(const struct kernel_btf *btf, const struct declaration *d,
			   struct extent *out)
{
	struct declared_member m;
	int size = walk(btf, d->members, NULL, 0, &m, &out->align);

	if (size < 0)
		return size;
	out->size = size;
	out->size = place(out->size, out);
	return 0;
}

static int btf_extent(const struct kernel_btf *btf, const char *type, struct extent *out)
{
	int id = kernel_btf_type(btf, type, BTF_KIND_STRUCT);
	long long size;

	if (id < 0)
		id = kernel_btf_type(btf, type, BTF_KIND_TYPEDEF);
	if (id < 0)
		return -ENOENT;
	size = btf__resolve_size(btf->vmlinux, id);
	out->size = size < 0 ? 0 : size;
	out->align = btf__align_of(btf->vmlinux, id);
	return size < 0 || out->align == 0 ? -ENOENT : 0;
}

static int type_extent(const struct kernel_btf *btf, const char *type, struct extent *out)
{
	const struct declaration *d = declaration_find(type, btf->era);

	if (d)
		return declared_extent(btf, d, out);
	for (size_t i = 0; i < sizeof(basic_types) / sizeof(basic_types[0]); i++) {
		if (strcmp(basic_types[i].name, type))
			continue;
		*out = (struct extent){basic_types[i].size, basic_types[i].size};
		return 0;
	}
	return btf_extent(btf, type, out);
}

int computed_member(const struct kernel_btf *btf, const char *structure, const char *path,
		    bool *is_pointer)
{
	const struct declaration *d = declaration_find(structure, btf->era);
	size_t length = strcspn(path, "."), align;
	struct declared_member m;
	int offset, inner;

	if (!d)
		return -ENOENT;
	offset = walk(btf, d->members, path, length, &m, &align);
	if (offset >= 0 && is_pointer)
		*is_pointer = !strcmp(m.type, "ptr");
	if (offset < 0 || !path[length])
		return offset;
	path += length + 1;
	if (declaration_find(m.type, btf->era))
		inner = computed_member(btf, m.type, path, is_pointer);
	else
		inner = layout_member(btf->vmlinux, kernel_btf_type(btf, m.type, BTF_KIND_STRUCT),
				      path, NULL);
	return inner < 0 ? inner : offset + inner;
}
