/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options' defaults and the process's own options. */
#include <errno.h>
#include "common/options.h"

#define OPTIONS_DEFAULTS                                                                           \
	{                                                                                          \
		.by = BY_DEFAULT, .interval_ns = 1000000000ULL, .format = FORMAT_TABLE,            \
		.attach = ATTACH_AUTO, .max_inflight = OPTIONS_MAX_INFLIGHT,                       \
		.max_keys = OPTIONS_MAX_KEYS, .max_age_ns = OPTIONS_MAX_AGE_NS,                    \
	}

void options_init(struct options *o)
{
	*o = (struct options)OPTIONS_DEFAULTS;
}

void options_deinit(struct options *o)
{
	if (o)
		filter_deinit(&o->filter);
}

struct options *options_process(void)
{
	static struct options process = OPTIONS_DEFAULTS;

	return &process;
}

enum exit_status exit_status_of(int err, bool output_failed)
{
	if (output_failed)
		return EXIT_OUTPUT;
	if (err == -EPERM)
		return EXIT_NOT_PERMITTED;
	if (err == -EOPNOTSUPP)
		return EXIT_UNFIT_KERNEL;
	return err && err != -ECANCELED ? EXIT_FAILED : EXIT_OK;
}
