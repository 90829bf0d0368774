/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Looks at the kernel's live structures before any hook is attached, starting from sysfs. */
#ifndef STORPROTOTRACE_SCOUT_H
#define STORPROTOTRACE_SCOUT_H

#include <stdint.h>
#include "iscsi_bpf/layout.h"

struct scout;

/* Loads, and attaches to the kernel's reading of device attributes. 0 or -errno. */
int scout_open(const struct kernel_btf *btf, struct scout **out);

/* NULL is fine. */
void scout_close(struct scout *scout);

/*
 * The address of the struct device that a folder of sysfs stands for, found by reading its uevent
 * attribute, which every device has and which changes nothing. 0 or -errno.
 */
int scout_device(struct scout *scout, const char *folder, uint64_t *address);

/* The 8 bytes at an address. 0; -EFAULT: there is no memory. `scout` is a struct scout. */
int scout_read(void *scout, uint64_t address, uint64_t *value);

#endif
