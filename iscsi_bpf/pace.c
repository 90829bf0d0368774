// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The loop's timer. */
#include "iscsi_bpf/pace.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ULL

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}

bool pace_is_aligned(const struct options *options)
{
	return options->interval_ns >= NS_PER_S && options->count != 1;
}

uint64_t pace_first_end(uint64_t now_ns, uint64_t interval_ns)
{
	uint64_t end = now_ns + interval_ns;

	return end - end % NS_PER_S;
}

static int set_timer(const struct pace *pace, int flags, uint64_t first_ns, uint64_t then_ns)
{
	struct itimerspec timer = {.it_value = to_timespec(first_ns),
				   .it_interval = to_timespec(then_ns)};

	return timerfd_settime(pace->fd, flags, &timer, NULL) ? -errno : 0;
}

static int start_aligned(const struct pace *pace)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	/* Cancelled: when the clock is set, intervals of any length would follow. */
	return set_timer(pace, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
			 pace_first_end(now.tv_sec * NS_PER_S + now.tv_nsec, pace->interval_ns),
			 pace->interval_ns);
}

static int open_timer(struct pace *pace)
{
	pace->fd = timerfd_create(pace->aligned ? CLOCK_REALTIME : CLOCK_MONOTONIC,
				  TFD_CLOEXEC | TFD_NONBLOCK);
	return pace->fd < 0 ? -errno : 0;
}

int pace_open(struct pace *pace, const struct options *options)
{
	int err;

	*pace = (struct pace){.interval_ns = options->interval_ns,
			      .aligned = pace_is_aligned(options)};
	err = open_timer(pace);
	if (err)
		return err;
	return pace->aligned ? start_aligned(pace)
			     : set_timer(pace, 0, pace->interval_ns, pace->interval_ns);
}

int pace_open_recorded(struct pace *pace)
{
	int err;

	*pace = (struct pace){0};
	err = open_timer(pace);
	return err ? err : pace_next_recorded(pace, 0);
}

int pace_next_recorded(struct pace *pace, uint64_t length_ns)
{
	/* 0 would stop the timer. */
	return set_timer(pace, 0, length_ns ? length_ns : 1, 0);
}

int pace_take(struct pace *pace)
{
	uint64_t expirations;
	int err;

	if (read(pace->fd, &expirations, sizeof(expirations)) == sizeof(expirations))
		return 0;
	if (errno != ECANCELED)
		return errno == EINTR ? -EAGAIN : -errno;
	err = start_aligned(pace);
	return err ? err : -EAGAIN;
}

void pace_close(struct pace *pace)
{
	if (pace->fd >= 0)
		close(pace->fd);
	pace->fd = -1;
}
