/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Capabilities: which are needed, and giving them up once attached. */
#ifndef STORPROTOTRACE_PRIVILEGE_H
#define STORPROTOTRACE_PRIVILEGE_H

/* 0, or -EPERM after saying which privilege is missing. */
int privilege_check(void);

/*
 * Gives up every capability, for good, but for CAP_BPF where this kernel wants it for reading
 * `map_fd` (before 5.19, unless bpf(2) is open to all). 0 or -errno, said on stderr.
 */
int privilege_drop(int map_fd);

#endif
