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

bool whole_file_possible(const char *path)
{
	struct stat status;

	return stat(path, &status) || S_ISREG(status.st_mode);
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

int whole_file_begin(struct whole_file *file, FILE **out)
{
	struct stat status;
	int fd = open_beside(file), err = 0;

	if (fd < 0)
		return fd;
	if (!stat(file->path, &status) && fchmod(fd, status.st_mode & 0777))
		err = -errno;
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
