// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Opens the output, notices each failed write, and tells a gone reader from a full disk. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/log.h"
#include "output/report.h"
#include "output/stamp.h"

void report_hold_standard_streams(void)
{
	static char buffer[65536];
	int fd;

	/* Help is longer than the usual buffer: of a write in its middle nobody would learn why it
	 * failed. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd < 3);
	if (fd >= 3)
		close(fd);
}

static const char *output_name(const struct report *report)
{
	return report->options->output ? report->options->output : "standard output";
}

static int fail(struct report *report, int err, const char *what)
{
	if (!report->error)
		report->error = err;
	log_error("%s: cannot be %s: %s", output_name(report), what, strerror(-err));
	return err;
}

/* Whoever scrapes a file would see a part of it, or two. */
static bool is_replaced(const struct options *options)
{
	return options->output && whole_file_possible(options->output) &&
	       (options->format == FORMAT_PROMETHEUS || options->format == FORMAT_OPENMETRICS);
}

/* For writing, without emptying it. */
static FILE *open_kept(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

/* Something is about to be written. */
static int begin(struct report *report)
{
	struct stat st;

	if (report->begun)
		return 0;
	report->begun = true;
	if (!report->out || !report->options->output)
		return 0;
	if (fstat(fileno(report->out), &st))
		return -errno;
	return S_ISREG(st.st_mode) && ftruncate(fileno(report->out), 0) ? -errno : 0;
}

static int open_stream(struct report *report)
{
	const char *path = report->options->output;

	if (is_replaced(report->options)) {
		report->out = NULL;
		return whole_file_init(&report->whole_file, path);
	}
	report->out = path ? open_kept(path) : stdout;
	return report->out ? 0 : -errno;
}

static int on_interval(struct sink *sink, const struct reading *r, const struct records *records)
{
	return report_interval((struct report *)sink, r, records);
}

static int on_reopen(struct sink *sink)
{
	return report_reopen((struct report *)sink);
}

int report_open(struct report *report, const struct options *options)
{
	int err;

	*report = (struct report){.options = options, .out = stdout};
	report->sink.interval = on_interval;
	report->sink.reopen = report_has_file(report) ? on_reopen : NULL;
	if (options->utc)
		stamp_use_utc();
	err = open_stream(report);
	if (err)
		return fail(report, err, "opened");
	err = printer_open(options, report->out, &report->printer);
	if (err)
		log_error("printer: cannot be set up: %s", strerror(-err));
	return err;
}

static int replace_file(struct report *report, const struct reading *r,
			const struct records *records)
{
	FILE *out;
	int err = whole_file_begin(&report->whole_file, &out);

	if (err)
		return err;
	printer_set_stream(report->printer, out);
	err = printer_interval(report->printer, r, records);
	return whole_file_end(&report->whole_file, out, err);
}

int report_interval(struct report *report, const struct reading *r, const struct records *records)
{
	int err;

	if (report->options->serve_only)
		return 0;
	err = begin(report);
	if (!err)
		err = report->out ? printer_interval(report->printer, r, records)
				  : replace_file(report, r, records);

	if (err == -EPIPE)
		return -ECANCELED;
	return err ? fail(report, err, "written") : 0;
}

bool report_has_file(const struct report *report)
{
	return report->options->output;
}

int report_reopen(struct report *report)
{
	FILE *out;

	if (!report->out)
		return 0;
	out = fopen(report->options->output, "ae");
	if (!out)
		return fail(report, -errno, "opened again");
	printer_set_stream(report->printer, out);
	if (fclose(report->out))
		fail(report, -errno, "written");
	report->out = out;
	return report->error;
}

static void finish(struct report *report)
{
	int err = begin(report);

	if (!err)
		err = printer_finish(report->printer);
	if (err && err != -EPIPE)
		fail(report, err, "written");
}

int report_flush_stdout(void)
{
	int err = fflush(stdout) ? -errno : ferror(stdout) ? -EIO : 0;

	if (!err || err == -EPIPE)
		return 0;
	log_error("standard output: cannot be written: %s", strerror(-err));
	return err;
}

int report_close(struct report *report, bool failed)
{
	if (report->printer && report->out && !report->error && (report->begun || !failed))
		finish(report);
	printer_close(report->printer);
	whole_file_deinit(&report->whole_file);
	if (!report->out || report->error)
		return report->error;
	if (report->out == stdout ? fflush(stdout) : fclose(report->out))
		if (errno != EPIPE)
			fail(report, -errno, "written");
	return report->error;
}
