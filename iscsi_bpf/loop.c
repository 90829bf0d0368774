// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Epoll over a timer and the signals; one reading per interval, filtered, grouped, handed on. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/loop.h"
#include "iscsi_bpf/pace.h"
#include "iscsi_bpf/record.h"
#include "iscsi_bpf/signals.h"

enum wake {
	WAKE_INTERVAL, /* the interval is over */
	WAKE_SOURCE,   /* the source has something that cannot wait */
	WAKE_INPUT,    /* the sink's descriptor is readable */
	WAKE_HUP,
	WAKE_END, /* INT or TERM */
};

struct loop {
	struct source *source;
	const struct options *options;
	struct sink *sink;
	struct recorder *recorder;
	struct reading total; /* --cumulative: all intervals so far */
	struct loop_result *result;
	struct pace pace;
	uint64_t done; /* intervals handed on */
	bool skip;     /* the next one is not: -y */
	int epoll_fd;
	int signal_fd;
};

static int watch(struct loop *loop, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	return fd < 0 || epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Or as fast as it can be? */
static bool is_timed(const struct loop *loop)
{
	return loop->source->live || loop->sink->paced;
}

static int start_timer(struct loop *loop)
{
	int err = loop->source->live ? pace_open(&loop->pace, loop->options)
				     : pace_open_recorded(&loop->pace);

	return err ? err : watch(loop, loop->pace.fd);
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
	signals_wanted(&set);
	loop->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	err = watch(loop, loop->signal_fd);
	if (!err && loop->source->ops->collect)
		err = watch(loop, loop->source->fd);
	if (!err && loop->sink->input)
		err = watch(loop, loop->sink->fd);
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
	const int fds[] = {loop->epoll_fd, loop->signal_fd};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	pace_close(&loop->pace);
	reading_deinit(&loop->total);
}

static int take_signal(const struct loop *loop, enum wake *wake)
{
	struct signalfd_siginfo info;

	if (read(loop->signal_fd, &info, sizeof(info)) != sizeof(info))
		return -EAGAIN;
	*wake = info.ssi_signo == SIGHUP ? WAKE_HUP : WAKE_END;
	return 0;
}

/* Waits for what comes next. Where nothing is timed, that is the next interval, or a signal. */
static int wait_next(struct loop *loop, enum wake *wake)
{
	struct epoll_event event;
	int n = epoll_wait(loop->epoll_fd, &event, 1, is_timed(loop) ? -1 : 0);

	*wake = WAKE_INTERVAL;
	if (n < 0 && errno != EINTR)
		return -errno;
	if (n <= 0)
		return is_timed(loop) ? -EAGAIN : 0;
	if (event.data.fd == loop->pace.fd)
		return pace_take(&loop->pace);
	if (event.data.fd == loop->signal_fd)
		return take_signal(loop, wake);
	*wake = WAKE_SOURCE;
	if (loop->sink->input && event.data.fd == loop->sink->fd)
		*wake = WAKE_INPUT;
	return 0;
}

/* What one interval does not know takes nothing from what others lost. */
static void add_losses(uint64_t *losses, const struct reading *r)
{
	for (int i = 0; i < LOSS_COUNT; i++)
		if (r->loss[i] != LOSS_UNKNOWN)
			losses[i] += r->loss[i];
}

static int hand_on(struct loop *loop, const struct reading *r)
{
	struct records records = {0};
	int err;

	if (loop->skip) {
		loop->skip = false;
		return 0;
	}
	loop->done++;
	err = group_reading(r, &loop->options->filter, loop->options->by, loop->options->hide_idle,
			    &records);
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
		err = record(loop, &r);
	if (!err) {
		add_losses(loop->result->losses, &r);
		if (loop->options->cumulative)
			err = reading_merge(&loop->total, &r);
		loop->total.number = r.number;
	}
	if (!err)
		err = hand_on(loop, loop->options->cumulative ? &loop->total : &r);
	if (!err && !loop->source->live && loop->sink->paced)
		err = pace_next_recorded(&loop->pace, r.length_ns);
	reading_deinit(&r);
	if (err == -ENODATA && loop->sink->ended)
		return loop->sink->ended(loop->sink);
	return err ? err : loop->source->end;
}

static int reopen(struct loop *loop)
{
	int err = loop->recorder ? recorder_reopen(loop->recorder) : 0;

	if (err)
		return record_failed(loop, err, "opened again");
	return loop->sink->reopen ? loop->sink->reopen(loop->sink) : 0;
}

/* What the wake-up asks for; 1: the loop is over. */
static int handle(struct loop *loop, enum wake wake)
{
	int err;

	switch (wake) {
	case WAKE_SOURCE:
		return loop->source->ops->collect(loop->source);
	case WAKE_INPUT:
		return loop->sink->input(loop->sink);
	case WAKE_HUP:
		if (loop->recorder || loop->sink->reopen)
			return reopen(loop);
		break;
	case WAKE_INTERVAL:
		err = one_interval(loop);
		return !err && loop->options->count && loop->done >= loop->options->count ? 1 : err;
	case WAKE_END:
		break;
	}
	/* The interval begun is handed on; a recording's next is not one. */
	err = loop->source->live ? one_interval(loop) : 0;
	return err ? err : 1;
}

static int run(struct loop *loop)
{
	enum wake wake;
	int err;

	do {
		err = wait_next(loop, &wake);
		if (!err)
			err = handle(loop, wake);
		else if (err == -EAGAIN)
			err = 0;
	} while (!err);
	return err < 0 ? err : 0;
}

int loop_run(struct source *source, const struct options *options, struct sink *sink,
	     struct loop_result *result)
{
	struct loop loop = {.source = source,
			    .options = options,
			    .sink = sink,
			    .result = result,
			    .pace.fd = -1,
			    .skip = options->skip_partial &&
				    (!source->live || pace_is_aligned(options)),
			    .epoll_fd = -1,
			    .signal_fd = -1};
	int err, close_err;

	*result = (struct loop_result){0};
	signals_block(NULL);
	reading_init(&loop.total);
	err = sink->begin ? sink->begin(sink) : 0;
	if (!err)
		err = loop_open(&loop);
	if (err && !result->record_failed)
		log_error("waiting for intervals: cannot be set up: %s", strerror(-err));
	if (!err)
		err = run(&loop);
	if (sink->end)
		sink->end(sink);
	close_err = recorder_close(loop.recorder);
	if (close_err && !result->record_failed)
		record_failed(&loop, close_err, "written");
	loop_close(&loop);
	if (err == -ENODATA || err == -ECANCELED)
		err = 0;
	return err ? err : close_err;
}
