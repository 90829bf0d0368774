// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Waits for input and for signals by turns: the signals are blocked, so they interrupt no read. */
#define _GNU_SOURCE /* fopencookie */
#include "iscsi_bpf/slow_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <unistd.h>
#include "iscsi_bpf/signals.h"

#define LOOK_FOR_SIGNALS_MS 200

static ssize_t slow_read(void *cookie, char *buffer, size_t size)
{
	struct pollfd wait = {.fd = (int)(intptr_t)cookie, .events = POLLIN};

	for (;;) {
		int n = poll(&wait, 1, LOOK_FOR_SIGNALS_MS);
		ssize_t got = n > 0 ? read(wait.fd, buffer, size) : -1;

		if (got >= 0)
			return got;
		if (n != 0 && errno != EINTR && errno != EAGAIN)
			return -1;
		if (n == 0 && signals_stop_requested(0)) {
			errno = ECANCELED;
			return -1;
		}
	}
}

static int slow_close(void *cookie)
{
	return close((int)(intptr_t)cookie);
}

FILE *slow_file_open(const char *path)
{
	static const cookie_io_functions_t io = {.read = slow_read, .close = slow_close};
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fopencookie((void *)(intptr_t)fd, "r", io);

	if (fd >= 0 && !file)
		close(fd);
	return file;
}
