// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keeps the names of sessions and LUNs from the first sight in sysfs until they are forgotten. */
#include "iscsi_bpf/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "iscsi_bpf/names_known.h"
#include "iscsi_bpf/names_sysfs.h"

int names_open(const char *root, struct names **out)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		return -ENOMEM;
	names->root = strdup(root);
	if (!names->root) {
		free(names);
		return -ENOMEM;
	}
	*out = names;
	return 0;
}

void names_close(struct names *names)
{
	if (!names)
		return;
	free(names->sessions);
	free(names->luns);
	free(names->root);
	free(names);
}

struct known_session *known_session_find(const struct names *names, uint32_t sid)
{
	for (size_t i = 0; i < names->session_count; i++)
		if (names->sessions[i].name.sid == sid)
			return &names->sessions[i];
	return NULL;
}

struct known_session *known_session_get(struct names *names, uint32_t sid)
{
	struct known_session *session = known_session_find(names, sid);
	size_t count = names->session_count + 1;

	if (session)
		return session;
	session = realloc(names->sessions, count * sizeof(*session));
	if (!session)
		return NULL;
	names->sessions = session;
	names->session_count = count;
	session += count - 1;
	*session = (struct known_session){.name.sid = sid, .host = HOST_UNKNOWN};
	return session;
}

/* LUNs come in the same order each time, so the search starts after the last. */
struct known_lun *known_lun_get(struct names *names, uint32_t sid, uint64_t number)
{
	size_t count = names->lun_count;
	struct known_lun *lun;

	for (size_t i = 0; i < count; i++) {
		size_t at = (names->lun_next + i) % count;

		lun = &names->luns[at];
		if (lun->name.sid == sid && lun->name.lun == number) {
			names->lun_next = at + 1;
			return lun;
		}
	}
	lun = realloc(names->luns, (count + 1) * sizeof(*lun));
	if (!lun)
		return NULL;
	names->luns = lun;
	names->lun_count = count + 1;
	lun += count;
	*lun = (struct known_lun){.name = {.sid = sid, .lun = number}};
	return lun;
}

void known_luns_drop(struct names *names, uint32_t sid)
{
	size_t kept = 0;

	for (size_t i = 0; i < names->lun_count; i++)
		if (names->luns[i].name.sid != sid)
			names->luns[kept++] = names->luns[i];
	names->lun_count = kept;
}

int names_copy(const struct names *names, struct reading *r)
{
	for (size_t i = 0; i < names->session_count; i++) {
		const struct session_name *name = &names->sessions[i].name;
		struct session_name *copy = reading_session(r, name->sid);

		struct nop_sums nops;

		if (!copy)
			return -ENOMEM;
		nops = copy->nops;
		*copy = *name;
		copy->nops = nops;
	}
	for (size_t i = 0; i < names->lun_count; i++) {
		const struct lun_name *name = &names->luns[i].name;
		struct lun_name *copy = reading_lun(r, name->sid, name->lun);

		if (!copy)
			return -ENOMEM;
		*copy = *name;
	}
	return 0;
}

void names_forget(struct names *names)
{
	size_t kept = 0;

	for (size_t i = 0; i < names->session_count; i++)
		if (names->sessions[i].seen >= names->complete)
			names->sessions[kept++] = names->sessions[i];
	names->session_count = kept;
	kept = 0;
	for (size_t i = 0; i < names->lun_count; i++)
		if (names->luns[i].seen >= names->complete)
			names->luns[kept++] = names->luns[i];
	names->lun_count = kept;
}

bool names_has_session(const struct names *names, uint32_t sid)
{
	const struct known_session *known = known_session_find(names, sid);

	return known && known->seen >= names->complete;
}

int names_host(const struct names *names, uint32_t sid, uint32_t *out)
{
	const struct known_session *known = known_session_find(names, sid);

	if (!known || known->host == HOST_UNKNOWN)
		return -ENOENT;
	*out = known->host;
	return 0;
}

const char *names_transport(const struct names *names, uint32_t sid)
{
	const struct known_session *known = known_session_find(names, sid);

	return known ? known->transport : "";
}

void names_resolve_disk(const char *spec, char *out, size_t out_size)
{
	static const char *const folders[] = {"/dev/mapper/", "/dev/"};
	const char *name = spec;
	struct stat node;

	if (spec[0] == '/' && !stat(spec, &node) && S_ISBLK(node.st_mode) &&
	    !sysfs_disk("/sys", major(node.st_rdev), minor(node.st_rdev), out, out_size))
		return;
	/* Not there (yet): a plain name below /dev may come to be the kernel's or a map's. */
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t length = strlen(folders[i]);

		if (!strncmp(spec, folders[i], length) && !strchr(spec + length, '/'))
			name = spec + length;
	}
	snprintf(out, out_size, "%s", name);
}
