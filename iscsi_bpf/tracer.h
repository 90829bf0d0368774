/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tracer: BPF programs loaded and attached on this host, read as a source of readings. */
#ifndef STORPROTOTRACE_TRACER_H
#define STORPROTOTRACE_TRACER_H

#include "iscsi_bpf/source.h"

/*
 * Loads and attaches. Everything it makes in the kernel is its own and goes with tracer_close() or
 * the process. 0 or -errno, said on stderr: see source_open().
 */
int tracer_open(const struct options *options, struct source **out);

#endif
