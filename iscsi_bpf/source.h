/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where readings come from: the kernel (tracer) or a recording (replay); the loop knows no more. */
#ifndef STORPROTOTRACE_SOURCE_H
#define STORPROTOTRACE_SOURCE_H

#include "common/options.h"
#include "common/reading.h"

#ifdef __cplusplus
extern "C" {
#endif

struct source;

struct source_ops {
	/*
	 * Fills *r (initialised and empty) with what happened since the last call.
	 * 0; -ENODATA: a recording has ended; other -errno: failed (said on stderr).
	 */
	int (*read)(struct source *source, struct reading *r);
	/*
	 * Takes what cannot wait for the next read; called when `fd` is readable. NULL: never.
	 * 0 or -errno (said on stderr).
	 */
	int (*collect)(struct source *source);
	/* Releases everything. */
	void (*close)(struct source *source);
};

/* The first member of every kind of source. */
struct source {
	const struct source_ops *ops;
	bool live; /* wait for the interval's end before each read */
	int fd;    /* to be watched if there is a collect() */
	/* Set by read(): nothing comes after this reading, and why (-errno, said on stderr). */
	int end;
};

/*
 * Opens what the options name: the replay file, else the tracer. Disks in the filter are replaced
 * by the kernel's names for them. The options must outlive the source. 0 or -errno (said on
 * stderr): -EPERM privilege is missing, -EOPNOTSUPP the kernel lacks something, -ECANCELED (not
 * said) a signal came while waiting for the modules, others: failure.
 */
int source_open(struct options *options, struct source **out);

/*
 * Says once per value of the filter which names nothing that is there. 0; -ENOENT when there was
 * one and the options are strict.
 */
int source_check_filter(const struct options *options, const struct reading *names);

/* Detaches, frees. NULL is fine. */
void source_close(struct source *source);

#ifdef __cplusplus
}
#endif

#endif
