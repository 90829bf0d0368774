// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* libFuzzer: any bytes as a recording, played through grouping into every format. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "common/group.h"
#include "common/log.h"
#include "iscsi_bpf/merged.h"
#include "iscsi_bpf/record.h"
#include "output/printer.h"

/* Grouped in several ways, so that keys of all kinds are shown. */
static const struct {
	enum output_format format;
	uint32_t by;
	bool heatmap;
} uses[] = {
	{FORMAT_TABLE, BY_DEFAULT, false},
	{FORMAT_TABLE, 0, true},
	{FORMAT_JSON, BY_SID | BY_LUN | BY_OP | BY_SIZE, false},
	{FORMAT_CSV, BY_DISK, false},
	{FORMAT_PROMETHEUS, BY_TARGET | BY_MPATH, false},
	{FORMAT_HTML, BY_DEFAULT, false},
};

#define USES (sizeof(uses) / sizeof(uses[0]))

static struct options options[USES];
static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	log_setup(0, true);
	nowhere = fopen("/dev/null", "w");
	for (size_t i = 0; i < USES; i++) {
		options_init(&options[i]);
		options[i].format = uses[i].format;
		options[i].by = uses[i].by;
		options[i].replay = "a recording";
		options[i].extended = options[i].timestamp = true;
		options[i].histograms = options[i].format == FORMAT_TABLE ? 1U << STAGE_TOTAL : 0;
		options[i].heatmap = uses[i].heatmap ? 1U << STAGE_TARGET : 0;
	}
	return nowhere ? 0 : -1;
}

static void print(struct printer **printers, const struct reading *r)
{
	for (size_t i = 0; i < USES; i++) {
		struct records records;

		if (group_reading(r, &options[i].filter, options[i].by, false, &records))
			continue;
		if (printer_interval(printers[i], r, &records))
			abort();
		records_deinit(&records);
	}
}

/* Only read: many more tries in the same time. */
static void skim(struct source *source)
{
	struct reading r;

	reading_init(&r);
	while (!source->ops->read(source, &r))
		reading_deinit(&r);
}

static void play(struct source *source)
{
	struct printer *printers[USES];
	struct reading r;

	for (size_t i = 0; i < USES; i++)
		if (printer_open(&options[i], nowhere, &printers[i]))
			abort();
	reading_init(&r);
	while (!source->ops->read(source, &r)) {
		print(printers, &r);
		reading_deinit(&r);
	}
	for (size_t i = 0; i < USES; i++) {
		if (printer_finish(printers[i]))
			abort();
		printer_close(printers[i]);
	}
}

/* The first byte: are intervals added up, is it printed? The rest is the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	struct source *source = NULL;
	char path[64];

	if (fd < 0)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (size > 1 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1) &&
	    !replay_open(path, &source) &&
	    (!(data[0] & 1) || !merged_open(source, 2000000000, &source))) {
		(data[0] & 2 ? play : skim)(source);
		source->ops->close(source);
	}
	close(fd);
	return 0;
}
