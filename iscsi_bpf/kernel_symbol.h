/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Symbols of the kernel and its modules, looked up in /proc/kallsyms. */
#ifndef STORPROTOTRACE_KERNEL_SYMBOL_H
#define STORPROTOTRACE_KERNEL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_symbol {
	const char *name;   /* exactly: kallsyms also has iscsi_queuecommand.cold */
	const char *module; /* of this module or built in; "": built in; NULL: anyone's */
	bool found;
	uint64_t address; /* 0: kept from us (kernel.kptr_restrict, no CAP_SYSLOG) */
};

/*
 * Looks for all of them in one pass: the kernel needs some 100 ms to write its symbols out, so ask
 * once. Sets `found` and `address`.
 */
void kernel_symbols_find(struct kernel_symbol *symbols, size_t count);

#endif
