/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pieces of an exposition: labels, numbers, histograms. */
#include "output/metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "output/field.h"
#include "output/text.h"

#define NS_PER_S 1000000000ULL

int metrics_print(FILE *out, const char *format, ...)
{
	va_list arguments;
	int printed;

	errno = 0;
	va_start(arguments, format);
	printed = vfprintf(out, format, arguments);
	va_end(arguments);
	if (printed >= 0)
		return 0;
	return errno ? -errno : -EIO;
}

/* Three characters have an escape of their own in a label's value. */
static void write_escaped(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
}

static int write_label(const struct field *field, const struct iscsi_stats *stats, FILE *out)
{
	const char *comma = ftell(out) > 0 ? "," : "";
	struct field_value value = {0};
	cleanup_free char *valid = NULL;

	field->get(field, stats, &value);
	if (!value.known)
		return 0;
	if (field->type == FIELD_COUNT) {
		fprintf(out, "%s%s=\"%" PRIu64 "\"", comma, field->json, value.count);
		return 0;
	}
	valid = malloc(TEXT_VALID_SIZE(strlen(value.text)));
	if (!valid)
		return -ENOMEM;
	text_valid(value.text, valid);
	fprintf(out, "%s%s=\"", comma, field->json);
	write_escaped(valid, out);
	fputc('"', out);
	return 0;
}

char *metrics_labels(const struct iscsi_stats *stats)
{
	char *labels = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&labels, &size);
	int err = out ? 0 : -ENOMEM;

	for (size_t i = 0; i < field_count && !err; i++)
		if (field_is_key(&fields[i]) && fields[i].json)
			err = write_label(&fields[i], stats, out);
	if (out && fclose(out))
		err = -ENOMEM;
	if (!err)
		return labels;
	free(labels);
	return NULL;
}

void metrics_seconds(uint64_t ns, char text[METRICS_SECONDS_SIZE])
{
	size_t length = snprintf(text, METRICS_SECONDS_SIZE, "%" PRIu64 ".%09" PRIu64,
				 (uint64_t)(ns / NS_PER_S), (uint64_t)(ns % NS_PER_S));

	while (text[length - 1] == '0')
		text[--length] = '\0';
	if (text[length - 1] == '.')
		text[--length] = '\0';
}

/* Were all the stage's commands put into the histogram? */
static bool is_whole(const struct iscsi_stats *stats, uint32_t stage)
{
	uint64_t count = 0;

	for (int i = 0; stats->hists && i < LAT_HIST_BUCKETS; i++)
		count += stats->hists->bucket[stage][i];
	return count == stats->stages[stage].count;
}

static int write_buckets(const struct iscsi_stats *stats, uint32_t stage, const char *name,
			 const char *labels, FILE *out)
{
	const char *comma = *labels ? "," : "";
	uint64_t count = 0;
	uint32_t bucket = 0;
	int err = 0;

	for (int shift = METRICS_LE_FIRST_SHIFT; shift <= METRICS_LE_LAST_SHIFT && !err; shift++) {
		uint64_t end_ns = 1ULL << shift;
		char le[METRICS_SECONDS_SIZE];

		for (; lat_hist_low_ns(bucket) < end_ns; bucket++)
			count += stats->hists ? stats->hists->bucket[stage][bucket] : 0;
		metrics_seconds(end_ns - 1, le);
		err = metrics_print(out, "%s_bucket{%s%sle=\"%s\"} %" PRIu64 "\n", name, labels,
				    comma, le, count);
	}
	return err;
}

int metrics_histogram(const struct iscsi_stats *stats, uint32_t stage, const char *name,
		      const char *labels, FILE *out)
{
	const struct iscsi_stage_time *time = &stats->stages[stage];
	char sum[METRICS_SECONDS_SIZE];
	int err = 0;

	if (!time->known)
		return 0;
	if (is_whole(stats, stage))
		err = write_buckets(stats, stage, name, labels, out);
	if (err)
		return err;
	metrics_seconds(time->sum_ns, sum);
	return metrics_print(out,
			     "%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n"
			     "%s_sum{%s} %s\n"
			     "%s_count{%s} %" PRIu64 "\n",
			     name, labels, *labels ? "," : "", time->count, name, labels, sum, name,
			     labels, time->count);
}
