/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Comma-separated values (RFC 4180, lines end with a newline only): a header, a line per record. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "common/cleanup.h"
#include "output/member.h"
#include "output/printer_ops.h"
#include "output/text.h"

struct csv {
	struct printer printer;
	struct member_list all;
	const struct member *shown[MEMBERS_MAX];
	size_t shown_count;
	bool headed;
};

/* The names have been looked at: columns_choose() knows of none that is not there. */
static void choose(struct csv *csv, const char *list)
{
	while (csv->shown_count < MEMBERS_MAX) {
		size_t length = strcspn(list, ",");
		const struct member *member = members_find(&csv->all, list, length);

		if (member)
			csv->shown[csv->shown_count++] = member;
		if (!list[length])
			break;
		list += length + 1;
	}
}

/* With quotes only where it could not be read without them. */
static int write_text(FILE *out, const char *text)
{
	cleanup_free char *valid = malloc(TEXT_VALID_SIZE(strlen(text)));
	const char *rest = valid;
	int err;

	if (!valid)
		return -ENOMEM;
	text_valid(text, valid);
	if (!strpbrk(valid, ",\"\r\n"))
		return printer_write(out, valid);
	err = printer_write(out, "\"");
	for (; *rest && !err; rest++) {
		char character[] = {*rest, *rest == '"' ? '"' : '\0', '\0'};

		err = printer_write(out, character);
	}
	return err ? err : printer_write(out, "\"");
}

/* What is not known is empty. */
static int write_value(const struct csv *csv, const struct member *member, const struct reading *r,
		       const struct iscsi_stats *stats)
{
	struct member_value value = {0};
	char digits[24];

	member->get(member, r, stats, &value);
	if (!value.known)
		return 0;
	if (value.text)
		return write_text(csv->printer.out, value.text);
	snprintf(digits, sizeof(digits), "%" PRIu64, value.count);
	return printer_write(csv->printer.out, digits);
}

/* A line; without a record the names. */
static int write_line(const struct csv *csv, const struct reading *r,
		      const struct iscsi_stats *stats)
{
	FILE *out = csv->printer.out;
	int err = 0;

	for (size_t i = 0; i < csv->shown_count && !err; i++) {
		if (i > 0)
			err = printer_write(out, ",");
		if (!err)
			err = stats ? write_value(csv, csv->shown[i], r, stats)
				    : printer_write(out, csv->shown[i]->name);
	}
	return err ? err : printer_write(out, "\n");
}

static int csv_interval(struct printer *printer, const struct reading *r,
			const struct records *records)
{
	struct csv *csv = (struct csv *)printer;
	int err = 0;

	if (!csv->headed)
		err = write_line(csv, r, NULL);
	csv->headed = true;
	for (size_t i = 0; i < records->count && !err; i++)
		err = write_line(csv, r, &records->records[i]);
	return err;
}

/* A file that was not rotated away has its header. */
static void csv_restart(struct printer *printer)
{
	struct csv *csv = (struct csv *)printer;
	struct stat status;
	int fd = fileno(printer->out);

	csv->headed = fd >= 0 && !fstat(fd, &status) && status.st_size > 0;
}

static void csv_close(struct printer *printer)
{
	free(printer);
}

int csv_open(const struct options *options, FILE *out, struct printer **printer)
{
	static const struct printer_ops ops = {
		.interval = csv_interval, .restart = csv_restart, .close = csv_close};
	struct csv *csv = calloc(1, sizeof(*csv));

	if (!csv)
		return -ENOMEM;
	csv->printer.ops = &ops;
	csv->printer.out = out;
	members_init(&csv->all, options);
	if (options->columns)
		choose(csv, options->columns);
	else
		while (csv->shown_count < csv->all.count) {
			csv->shown[csv->shown_count] = &csv->all.member[csv->shown_count];
			csv->shown_count++;
		}
	*printer = &csv->printer;
	return 0;
}
