/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How options may be spelled: the published tool's names work, abbreviated ones do not. */
#ifndef STORPROTOTRACE_SPELLING_H
#define STORPROTOTRACE_SPELLING_H

/* Arguments as getopt_long() is to see them; the strings are those of the original argv. */
struct spelling {
	int argc;
	char **argv; /* owned; NULL-terminated */
};

/*
 * Rewrites -sid, -initiatorname, ... (one dash or two, "-sid=1" too) to the option table's long
 * names; refuses long names that are not spelled in full. 0, -EINVAL (said on stderr) or -ENOMEM.
 */
int spelling_init(struct spelling *spelling, int argc, char **argv);
void spelling_deinit(struct spelling *spelling);

/* The published tool's name of the option with this long name; NULL: it had none. */
const char *spelling_published(const char *name);

#endif
