/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* HTTP by libmicrohttpd without threads: its descriptor is one more that the loop watches. */
#include "output/listener.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include "common/log.h"
#include "output/listener_pages.h"

#define NS_PER_S  1000000000ULL
#define NS_PER_MS 1000000ULL

/*
 * A scraper has one connection, for less than a second. Those that come when all are taken wait in
 * the kernel's queue; those of an address that has its share are closed, so that others get a turn.
 */
#define CONNECTIONS_MAX	   32
#define CONNECTIONS_OF_ONE 16
#define CONNECTION_BYTES   8192 /* request line and headers; what is longer is refused */
#define CONNECTION_LIFE_NS (10 * NS_PER_S)
#define PAGES_KEPT	   4 /* who is still reading an older one is too slow: pages may be large */
#define QUEUE_LENGTH	   128

struct connection {
	int fd; /* -1: free */
	uint64_t since_ns;
	bool answered;
	uint64_t pages_made; /* when it was answered, among them its own if it got one */
};

struct listener {
	struct sink sink; /* what the loop sees */
	struct sink *next;
	struct listener_pages *pages;
	struct MHD_Daemon *daemon;
	struct connection connections[CONNECTIONS_MAX];
	int epoll_fd; /* watches the daemon's and the timer */
	int timer_fd;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Called when a request's headers are there: answers before a body is, and so reads none. */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *connection, const char *path,
				  const char *method, const char *version, const char *body,
				  size_t *body_size, void **request)
{
	struct listener *listener = arg;
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct connection *mine = info ? info->socket_context : NULL;
	enum MHD_Result result = listener_pages_answer(listener->pages, connection, path, method);

	(void)version, (void)body, (void)body_size, (void)request;
	if (mine) {
		mine->answered = true;
		mine->pages_made = listener_pages_made(listener->pages);
	}
	return result;
}

/* A connection was opened or is about to be closed: keeps book. */
static void on_connection(void *arg, struct MHD_Connection *connection, void **context,
			  enum MHD_ConnectionNotificationCode what)
{
	struct listener *listener = arg;
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	if (what == MHD_CONNECTION_NOTIFY_CLOSED && *context)
		((struct connection *)*context)->fd = -1;
	if (what != MHD_CONNECTION_NOTIFY_STARTED || !info)
		return;
	for (size_t i = 0; i < CONNECTIONS_MAX && !*context; i++) {
		if (listener->connections[i].fd >= 0)
			continue;
		listener->connections[i] =
			(struct connection){.fd = info->connect_fd, .since_ns = now_ns()};
		*context = &listener->connections[i];
	}
}

/*
 * Whatever it does: a timeout that a byte now and then puts off would let a few clients keep all
 * places. It may have got the last but one of the pages made till then, in the other format.
 */
static bool is_too_old(const struct listener *listener, const struct connection *connection,
		       uint64_t now)
{
	if (now - connection->since_ns >= CONNECTION_LIFE_NS)
		return true;
	return connection->answered &&
	       listener_pages_made(listener->pages) - connection->pages_made >= PAGES_KEPT - 1;
}

/* Are there connections? */
static bool end_old_connections(struct listener *listener)
{
	uint64_t now = now_ns();
	bool any = false;

	for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
		struct connection *connection = &listener->connections[i];

		if (connection->fd < 0)
			continue;
		any = true;
		/* The daemon then finds that it has ended, and closes it. */
		if (is_too_old(listener, connection, now))
			shutdown(connection->fd, SHUT_RDWR);
	}
	return any;
}

/* When to come back without being woken by a client; 0: not at all. */
static int set_timer(struct listener *listener, uint64_t ns)
{
	struct itimerspec timer = {
		.it_value = {.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)}};

	return timerfd_settime(listener->timer_fd, 0, &timer, NULL) ? -errno : 0;
}

/* Does what can be done for clients without waiting. */
static int on_input(struct sink *sink)
{
	struct listener *listener = (struct listener *)sink;
	MHD_UNSIGNED_LONG_LONG ms;
	uint64_t next_ns = 0;
	int err = 0;

	if (MHD_run(listener->daemon) != MHD_YES)
		err = -EIO;
	if (end_old_connections(listener))
		next_ns = NS_PER_S;
	/* It has more to do at once: others get their turn in between. */
	if (MHD_get_timeout(listener->daemon, &ms) == MHD_YES && ms == 0)
		next_ns = 1;
	if (!err)
		err = set_timer(listener, next_ns);
	if (err)
		log_error("metrics: cannot be served: %s", strerror(-err));
	return err;
}

/* What is served from now on has this interval in it. */
static int on_interval(struct sink *sink, const struct reading *r, const struct records *records)
{
	struct listener *listener = (struct listener *)sink;
	int err = listener_pages_interval(listener->pages, r);

	if (!err)
		return listener->next->interval(listener->next, r, records);
	log_error("metrics: cannot be counted: %s", strerror(-err));
	return err;
}

static int on_reopen(struct sink *sink)
{
	struct sink *next = ((struct listener *)sink)->next;

	return next->reopen(next);
}

/* "127.0.0.1:9300" or "[::1]:9300". */
static void name_address(const struct sockaddr_storage *address, char *text, size_t size)
{
	bool v6 = address->ss_family == AF_INET6;
	char host[64] = "?", port[8] = "?";

	getnameinfo((const struct sockaddr *)address, sizeof(*address), host, sizeof(host), port,
		    sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(text, size, "%s%s%s:%s", v6 ? "[" : "", host, v6 ? "]" : "", port);
}

/* A socket that listens, or -errno. *address gets the port that the kernel chose for port 0. */
static int open_socket(struct sockaddr_storage *address)
{
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), err;
	socklen_t size = sizeof(*address);
	const int on = 1;

	if (fd < 0)
		return -errno;
	/* Not to wait until the connections of an earlier run are forgotten. */
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
	    !bind(fd, (struct sockaddr *)address, sizeof(*address)) && !listen(fd, QUEUE_LENGTH) &&
	    !getsockname(fd, (struct sockaddr *)address, &size))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* The daemon, which owns the socket from then on. 0 or -errno. */
static int start_daemon(struct listener *listener, int socket_fd)
{
	listener->daemon = MHD_start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, on_request, listener, MHD_OPTION_LISTEN_SOCKET,
		socket_fd, MHD_OPTION_NOTIFY_CONNECTION, on_connection, listener,
		MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
		CONNECTIONS_OF_ONE, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
		MHD_OPTION_END);
	return listener->daemon ? 0 : -EIO;
}

static int watch(const struct listener *listener, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(listener->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static int open_descriptors(struct listener *listener)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(listener->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	int err;

	listener->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	listener->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (listener->epoll_fd < 0 || listener->timer_fd < 0)
		return -errno;
	err = info ? watch(listener, info->epoll_fd) : -EIO;
	return err ? err : watch(listener, listener->timer_fd);
}

static int start(struct listener *listener, const struct options *options)
{
	struct sockaddr_storage address = options->listen;
	char name[80];
	int err, fd = open_socket(&address);

	name_address(&address, name, sizeof(name));
	err = fd < 0 ? fd : start_daemon(listener, fd);
	if (!err)
		err = open_descriptors(listener);
	if (!err)
		err = listener_pages_open(options, &listener->pages);
	if (err)
		log_error("cannot listen on %s: %s", name, strerror(-err));
	else
		log_note("metrics are at http://%s/metrics", name);
	return err;
}

static void put_before(struct listener *listener, struct sink **sink)
{
	listener->next = *sink;
	listener->sink = (struct sink){.interval = on_interval,
				       .reopen = (*sink)->reopen ? on_reopen : NULL,
				       .input = on_input,
				       .fd = listener->epoll_fd,
				       .paced = true};
	*sink = &listener->sink;
}

int listener_open(const struct options *options, struct sink **sink, struct listener **out)
{
	struct listener *listener;
	int err;

	*out = NULL;
	if (options->listen.ss_family == AF_UNSPEC)
		return 0;
	listener = malloc(sizeof(*listener));
	if (!listener) {
		log_error("listener: cannot be set up: %s", strerror(ENOMEM));
		return -ENOMEM;
	}
	*listener = (struct listener){.epoll_fd = -1, .timer_fd = -1};
	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		listener->connections[i].fd = -1;
	err = start(listener, options);
	if (err) {
		listener_close(listener);
		return err;
	}
	put_before(listener, sink);
	*out = listener;
	return 0;
}

void listener_close(struct listener *listener)
{
	if (!listener)
		return;
	if (listener->daemon)
		MHD_stop_daemon(listener->daemon);
	listener_pages_close(listener->pages);
	if (listener->timer_fd >= 0)
		close(listener->timer_fd);
	if (listener->epoll_fd >= 0)
		close(listener->epoll_fd);
	free(listener);
}
