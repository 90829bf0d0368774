/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A file that its readers only ever see whole. */
#define _GNU_SOURCE /* asprintf */
#include "output/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Another name of an open stream, /dev/stdout: what it is appended to is not ours to replace. */
static bool is_stream(const char *path)
{
	static const char *const begins[] = {"/dev/std", "/dev/fd/", "/proc/"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(path, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

bool whole_file_possible(const char *path)
{
	struct stat status;

	return !is_stream(path) && (stat(path, &status) || S_ISREG(status.st_mode));
}

/* A new file: nothing that somebody else put there, a link least of all, is written to. */
static int open_beside(const struct whole_file *file)
{
	int fd;

	if (unlink(file->beside) && errno != ENOENT)
		return -errno;
	fd = open(file->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return fd < 0 ? -errno : fd;
}

int whole_file_init(struct whole_file *file, const char *path)
{
	int fd;

	*file = (struct whole_file){.path = realpath(path, NULL)};
	if (!file->path)
		file->path = strdup(path);
	if (!file->path)
		return -ENOMEM;
	if (asprintf(&file->beside, "%s.%d.tmp", file->path, getpid()) < 0) {
		file->beside = NULL;
		return -ENOMEM;
	}
	fd = open_beside(file);
	if (fd < 0)
		return fd;
	close(fd);
	return unlink(file->beside) ? -errno : 0;
}

void whole_file_deinit(struct whole_file *file)
{
	free(file->path);
	free(file->beside);
	*file = (struct whole_file){0};
}

/* Who may read the file stays who may. */
static int take_over_mode(int fd, const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return 0;
	/* Only root may give files away; without it the file is ours already, as a rule. */
	if (fchown(fd, status.st_uid, status.st_gid) && errno != EPERM)
		return -errno;
	return fchmod(fd, status.st_mode & 0777) ? -errno : 0;
}

int whole_file_begin(struct whole_file *file, FILE **out)
{
	int fd = open_beside(file), err;

	if (fd < 0)
		return fd;
	err = take_over_mode(fd, file->path);
	*out = err ? NULL : fdopen(fd, "w");
	if (*out)
		return 0;
	err = err ? err : -errno;
	close(fd);
	unlink(file->beside);
	return err;
}

int whole_file_end(struct whole_file *file, FILE *out, int err)
{
	if (fclose(out) && !err)
		err = -errno;
	if (!err && rename(file->beside, file->path))
		err = -errno;
	if (err)
		unlink(file->beside);
	return err;
}
