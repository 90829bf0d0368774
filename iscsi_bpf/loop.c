// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Epoll over a timer and the signals; one reading per interval, filtered, grouped, handed on. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/loop.h"
#include "iscsi_bpf/record.h"

#define NS_PER_S 1000000000ULL

enum wake {
	WAKE_INTERVAL, /* the interval is over */
	WAKE_SOURCE,   /* the source has something that cannot wait */
	WAKE_WATCH,    /* what else is watched is ready */
	WAKE_HUP,
	WAKE_END, /* INT or TERM */
};

struct loop {
	struct source *source;
	const struct options *options;
	struct loop_sink *sink;
	struct recorder *recorder;
	struct reading total; /* --cumulative: all intervals so far */
	struct loop_result *result;
	int epoll_fd;
	int timer_fd;
	int signal_fd;
};

/* Those of INT, TERM and HUP that were not ignored when the program started. */
static void wanted_signals(sigset_t *set)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(set, signals[i]);
}

void loop_block_signals(sigset_t *before)
{
	sigset_t set;

	wanted_signals(&set);
	sigprocmask(SIG_BLOCK, &set, before);
}

bool loop_stop_requested(unsigned int milliseconds)
{
	const struct timespec timeout = {.tv_sec = milliseconds / 1000,
					 .tv_nsec = milliseconds % 1000 * 1000000};
	sigset_t set;

	wanted_signals(&set);
	return sigtimedwait(&set, NULL, &timeout) > 0;
}

static int watch(struct loop *loop, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	return fd < 0 || epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Do intervals take their time, or does one follow the other as fast as it can? */
static bool is_timed(const struct loop *loop)
{
	return loop->source->live || loop->sink->paced;
}

static int set_timer(struct loop *loop, uint64_t ns, bool repeat)
{
	struct timespec time = {.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
	struct itimerspec timer = {.it_value = time};

	if (repeat)
		timer.it_interval = time;
	return timerfd_settime(loop->timer_fd, 0, &timer, NULL) ? -errno : 0;
}

static int start_timer(struct loop *loop)
{
	int err;

	loop->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (loop->timer_fd < 0)
		return -errno;
	/* What was recorded first is there at once. */
	err = loop->source->live ? set_timer(loop, loop->options->interval_ns, true)
				 : set_timer(loop, 1, false);
	return err ? err : watch(loop, loop->timer_fd);
}

/* The recording's next interval comes when this one has lasted as long as it did. */
static int set_pace(struct loop *loop, uint64_t length_ns)
{
	if (loop->source->live || !loop->sink->paced)
		return 0;
	/* 0 would stop the timer. */
	return set_timer(loop, length_ns ? length_ns : 1, false);
}

static int record_failed(struct loop *loop, int err, const char *what)
{
	loop->result->record_failed = true;
	log_error("recording %s: cannot be %s: %s", loop->options->record, what, strerror(-err));
	return err;
}

static int loop_open(struct loop *loop)
{
	sigset_t set;
	int err;

	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd < 0)
		return -errno;
	wanted_signals(&set);
	loop->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	err = watch(loop, loop->signal_fd);
	if (!err && loop->source->ops->collect)
		err = watch(loop, loop->source->fd);
	if (!err && loop->sink->watch.ready)
		err = watch(loop, loop->sink->watch.fd);
	if (!err && is_timed(loop))
		err = start_timer(loop);
	if (err || !loop->options->record)
		return err;
	err = recorder_open(loop->options->record, &loop->recorder);
	if (err)
		return record_failed(loop, err, "opened");
	return 0;
}

static void loop_close(struct loop *loop)
{
	const int fds[] = {loop->epoll_fd, loop->timer_fd, loop->signal_fd};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	reading_deinit(&loop->total);
}

/* Waits for what comes next. Where nothing is timed, that is the next interval, or a signal. */
static int wait_next(struct loop *loop, enum wake *wake)
{
	struct epoll_event event;
	struct signalfd_siginfo info;
	uint64_t expirations;
	int n;

	*wake = WAKE_INTERVAL;
	n = epoll_wait(loop->epoll_fd, &event, 1, is_timed(loop) ? -1 : 0);
	if (n < 0 && errno != EINTR)
		return -errno;
	if (n <= 0)
		return is_timed(loop) ? -EAGAIN : 0;
	if (event.data.fd != loop->timer_fd && event.data.fd != loop->signal_fd) {
		*wake = WAKE_SOURCE;
		if (loop->sink->watch.ready && event.data.fd == loop->sink->watch.fd)
			*wake = WAKE_WATCH;
		return 0;
	}
	if (event.data.fd == loop->timer_fd)
		return read(loop->timer_fd, &expirations, sizeof(expirations)) < 0 ? -EAGAIN : 0;
	if (read(loop->signal_fd, &info, sizeof(info)) != sizeof(info))
		return -EAGAIN;
	*wake = info.ssi_signo == SIGHUP ? WAKE_HUP : WAKE_END;
	return 0;
}

static void add_losses(uint64_t *losses, const struct reading *r)
{
	for (int i = 0; i < LOSS_COUNT; i++)
		if (r->loss[i] == LOSS_UNKNOWN || losses[i] == LOSS_UNKNOWN)
			losses[i] = LOSS_UNKNOWN;
		else
			losses[i] += r->loss[i];
}

static int hand_on(struct loop *loop, const struct reading *r)
{
	struct records records = {0};
	int err = group_reading(r, &loop->options->filter, loop->options->by,
				loop->options->hide_idle, &records);

	if (!err)
		err = loop->sink->interval(loop->sink, r, &records);
	records_deinit(&records);
	return err;
}

static int record(struct loop *loop, const struct reading *r)
{
	int err = loop->recorder ? recorder_write(loop->recorder, r) : 0;

	return err ? record_failed(loop, err, "written") : 0;
}

/* One interval: read, record, group, hand on. */
static int one_interval(struct loop *loop)
{
	struct reading r;
	int err;

	reading_init(&r);
	err = loop->source->ops->read(loop->source, &r);
	if (!err && !loop->source->live && !loop->total.number)
		err = source_check_filter(loop->options, &r);
	if (!err)
		err = set_pace(loop, r.length_ns);
	if (!err)
		err = record(loop, &r);
	if (!err) {
		add_losses(loop->result->losses, &r);
		if (loop->options->cumulative)
			err = reading_merge(&loop->total, &r);
		loop->total.number = r.number;
	}
	if (!err)
		err = hand_on(loop, loop->options->cumulative ? &loop->total : &r);
	reading_deinit(&r);
	return err;
}

static int reopen(struct loop *loop)
{
	int err = loop->recorder ? recorder_reopen(loop->recorder) : 0;

	if (err)
		return record_failed(loop, err, "opened again");
	return loop->sink->reopen ? loop->sink->reopen(loop->sink) : 0;
}

static int run(struct loop *loop)
{
	uint64_t done = 0;
	enum wake wake;
	int err;

	do {
		err = wait_next(loop, &wake);
		if (err == -EAGAIN)
			continue;
		if (err)
			return err;
		if (wake == WAKE_SOURCE || wake == WAKE_WATCH) {
			err = wake == WAKE_SOURCE ? loop->source->ops->collect(loop->source)
						  : loop->sink->watch.ready(loop->sink->watch.arg);
			if (err)
				return err;
			continue;
		}
		if (wake == WAKE_HUP && (loop->recorder || loop->sink->reopen)) {
			err = reopen(loop);
			if (err)
				return err;
			continue;
		}
		if (wake != WAKE_INTERVAL && !loop->source->live)
			return 0;
		err = one_interval(loop);
		if (err || loop->source->end)
			return err ? err : loop->source->end;
		done++;
		if (wake != WAKE_INTERVAL)
			return 0;
	} while (!loop->options->count || done < loop->options->count);
	return 0;
}

int loop_run(struct source *source, const struct options *options, struct loop_sink *sink,
	     struct loop_result *result)
{
	struct loop loop = {.source = source,
			    .options = options,
			    .sink = sink,
			    .result = result,
			    .epoll_fd = -1,
			    .timer_fd = -1,
			    .signal_fd = -1};
	int err, close_err;

	*result = (struct loop_result){0};
	loop_block_signals(NULL);
	reading_init(&loop.total);
	err = loop_open(&loop);
	if (!err)
		err = run(&loop);
	close_err = recorder_close(loop.recorder);
	if (close_err && !result->record_failed)
		record_failed(&loop, close_err, "written");
	loop_close(&loop);
	if (err == -ENODATA || err == -ECANCELED)
		err = 0;
	return err ? err : close_err;
}
