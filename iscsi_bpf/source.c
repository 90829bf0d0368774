// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Chooses between the live tracer and a recording, and looks at what the filter names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/log.h"
#include "iscsi_bpf/merged.h"
#include "iscsi_bpf/names.h"
#include "iscsi_bpf/record.h"
#include "iscsi_bpf/source.h"
#include "iscsi_bpf/tracer.h"

static int resolve_disks(struct filter *filter)
{
	char name[MPATH_NAME_SIZE];

	for (size_t i = 0; i < filter->disks.count; i++) {
		char *copy;

		names_resolve_disk(filter->disks.names[i], name, sizeof(name));
		copy = strdup(name);
		if (!copy)
			return -ENOMEM;
		free(filter->disks.names[i]);
		filter->disks.names[i] = copy;
	}
	return 0;
}

int source_open(struct options *options, struct source **out)
{
	int err = resolve_disks(&options->filter);

	if (err)
		return err;
	if (!options->replay)
		return tracer_open(options, out);
	err = replay_open(options->replay, out);
	if (err)
		return err;
	if (options->strict)
		replay_require(*out);
	return !options->merge_ns ? 0 : merged_open(*out, options->merge_ns, out);
}

void source_close(struct source *source)
{
	if (source)
		source->ops->close(source);
}

static void say_absent(void *arg, const char *what)
{
	const struct options *options = arg;

	if (options->strict)
		log_error("%s: there is none", what);
	else
		log_warn("%s: there is none%s", what,
			 options->replay ? "" : " now: waiting for it");
}

int source_check_filter(const struct options *options, const struct reading *names)
{
	size_t absent = filter_absent(&options->filter, names, say_absent, (void *)options);

	return absent && options->strict ? -ENOENT : 0;
}
