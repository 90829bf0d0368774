// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* kprobe events in tracefs: made, opened, counted, removed; dead tracers' ones swept. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/probe_events.h"

#define GROUP_PREFIX "storprototrace_"
/*
 * Sends in progress at once that a return probe can follow: one per connection, and each may sleep
 * 15 s on a full socket. The kernel's limit; each costs some tens of bytes.
 */
#define MAXACTIVE 4096

const char *probe_events_dir(void)
{
	static const char *const dirs[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	char path[64];

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(path, sizeof(path), "%s/kprobe_events", dirs[i]);
		if (!access(path, W_OK))
			return dirs[i];
	}
	return NULL;
}

/* One line to kprobe_events: a definition, or "-:group/name". 0 or -errno. */
static int write_event(const char *line)
{
	cleanup_fd int fd = -1;
	const char *dir = probe_events_dir();
	char path[64];
	ssize_t length = strlen(line);

	if (!dir)
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/kprobe_events", dir);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return write(fd, line, length) == length ? 0 : -errno;
}

/* When the process started, in the kernel's ticks: with the pid it names a process for good. */
static unsigned long long start_time(long pid)
{
	cleanup_file FILE *file = NULL;
	unsigned long long start = 0;
	char path[40], line[1024], *rest;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (!file || !fgets(line, sizeof(line), file))
		return 0;
	/* The second field is a name in parentheses that may hold anything; ours is the 22nd. */
	rest = strrchr(line, ')');
	if (!rest || sscanf(rest + 1,
			    "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			    "%*s %*s %*s %*s %llu",
			    &start) != 1)
		return 0;
	return start;
}

static void group_name(char *out, size_t size)
{
	long pid = getpid();

	snprintf(out, size, GROUP_PREFIX "%ld_%llu", pid, start_time(pid));
}

/* Removes every event of kprobe_events whose group `mine` accepts. */
static void remove_events(bool (*mine)(const char *group, const char *own))
{
	cleanup_file FILE *file = NULL;
	const char *dir = probe_events_dir();
	char path[64], line[512], group[128], name[128], command[300], own[64];

	if (!dir)
		return;
	group_name(own, sizeof(own));
	snprintf(path, sizeof(path), "%s/kprobe_events", dir);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		int err;

		if (sscanf(line, "%*[^:]:%127[^/]/%127s", group, name) != 2 || !mine(group, own))
			continue;
		snprintf(command, sizeof(command), "-:%s/%s\n", group, name);
		err = write_event(command);
		/* In use: by a tracer in another PID namespace, where its pid is another one. */
		if (err && err != -EBUSY)
			log_warn("probe event %s/%s: cannot be removed: %s", group, name,
				 strerror(-err));
	}
}

static bool group_is_dead(const char *group, const char *own)
{
	unsigned long long start;
	long pid;

	(void)own;
	if (sscanf(group, GROUP_PREFIX "%ld_%llu", &pid, &start) != 2)
		return false;
	return start_time(pid) != start;
}

static bool group_is_own(const char *group, const char *own)
{
	return !strcmp(group, own);
}

void probe_events_clear_dead(void)
{
	remove_events(group_is_dead);
}

void probe_events_remove(void)
{
	remove_events(group_is_own);
}

/* The number perf knows the event by. */
static long event_id(const char *group, const char *name)
{
	cleanup_file FILE *file = NULL;
	char path[256];
	long id;

	snprintf(path, sizeof(path), "%s/events/%s/%s_%ld/id", probe_events_dir(), group, name,
		 (long)getpid());
	file = fopen(path, "re");
	if (!file || fscanf(file, "%ld", &id) != 1)
		return -ENOENT;
	return id;
}

int probe_event_create(const char *name, const char *function, bool on_return)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr)};
	char group[64], line[256], kind[16] = "p";
	long id;
	int err, fd;

	group_name(group, sizeof(group));
	if (on_return)
		snprintf(kind, sizeof(kind), "r%d", MAXACTIVE);
	snprintf(line, sizeof(line), "%s:%s/%s_%ld %s\n", kind, group, name, (long)getpid(),
		 function);
	err = write_event(line);
	if (err)
		return err;
	id = event_id(group, name);
	if (id < 0)
		return id;
	attr.config = id;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

uint64_t probe_events_missed(void)
{
	cleanup_file FILE *file = NULL;
	const char *dir = probe_events_dir();
	char path[64], line[256], name[128], suffix[32];
	unsigned long long hits, misses;
	uint64_t sum = 0;

	if (!dir)
		return UINT64_MAX;
	snprintf(path, sizeof(path), "%s/kprobe_profile", dir);
	file = fopen(path, "re");
	if (!file)
		return UINT64_MAX;
	snprintf(suffix, sizeof(suffix), "_%ld", (long)getpid());
	while (fgets(line, sizeof(line), file)) {
		size_t length;

		if (sscanf(line, "%127s %llu %llu", name, &hits, &misses) != 3)
			continue;
		length = strlen(name);
		if (length > strlen(suffix) && !strcmp(name + length - strlen(suffix), suffix))
			sum += misses;
	}
	return sum;
}
