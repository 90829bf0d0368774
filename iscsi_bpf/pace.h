/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* When intervals end: on whole seconds of the wall clock where that can be; for loop.c. */
#ifndef STORPROTOTRACE_PACE_H
#define STORPROTOTRACE_PACE_H

#include "common/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pace {
	int fd;		      /* readable when an interval may be over; -1: there is no timer */
	uint64_t interval_ns; /* as asked for */
	bool aligned;	      /* to whole seconds: the first interval is a partial one then */
};

/* Are these options' intervals aligned? From a second on, when there is more than one. */
bool pace_is_aligned(const struct options *options);

/*
 * When, on the same clock as `now_ns`, the first aligned interval ends: on the last whole second
 * that is not more than an interval from now.
 */
uint64_t pace_first_end(uint64_t now_ns, uint64_t interval_ns);

/* Begins the first interval. 0 or -errno. */
int pace_open(struct pace *pace, const struct options *options);

/* For recordings: one interval after the other, the first is over at once. 0 or -errno. */
int pace_open_recorded(struct pace *pace);

/* The next one of a recording is over after so long. 0 or -errno. */
int pace_next_recorded(struct pace *pace, uint64_t length_ns);

/* `fd` is readable. 0: the interval is over; -EAGAIN: it is not; other -errno. */
int pace_take(struct pace *pace);

/* One without a timer is fine. */
void pace_close(struct pace *pace);

#ifdef __cplusplus
}
#endif

#endif
