/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fentry and fexit programs: on which function of which module each goes. */
#ifndef STORPROTOTRACE_FENTRY_H
#define STORPROTOTRACE_FENTRY_H

#include <stdbool.h>
#include "iscsi_bpf/layout.h"

struct iscsi_stats_bpf;

/* Has BTF of the running kernel or of its modules this function? */
bool fentry_possible(const struct kernel_btf *btf, const char *function);

/* iscsi_stats_bpf__open(), with the sections of fentry programs known to libbpf. NULL and errno. */
struct iscsi_stats_bpf *fentry_open(void);

/*
 * iscsi_stats_bpf__load(), fentry programs going to their functions. libbpf, left alone, would read
 * the BTF of every module loaded, and search all of it anew for each program: seconds on a host
 * with many modules. 0 or -errno.
 */
int fentry_load(struct iscsi_stats_bpf *skel, const struct kernel_btf *btf);

#endif
