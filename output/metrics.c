/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prometheus' text exposition and OpenMetrics: the field table's metrics, family by family. */
#include "output/metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include "common/cleanup.h"
#include "output/field.h"
#include "output/printer_ops.h"

#define PREFIX "storprototrace_"

struct metrics {
	struct printer printer;
	bool openmetrics;
};

/* One exposition: the records with their labels, made once. */
struct exposition {
	const struct metrics *metrics;
	const struct records *records;
	char **labels;
	FILE *out;
};

/* About the exposition itself, and what is of no record. */
static const struct field_metric losses_metric = {
	"losses", "", METRIC_COUNTER, "samples lost or degraded, by what happened to them"};
static const struct field_metric time_metric = {
	"interval_end_timestamp_seconds", "seconds", METRIC_GAUGE,
	"until when this is counted, in seconds since 1970"};
static const struct field_metric build_metric = {"build_info", "", METRIC_GAUGE,
						 "always 1; the version that counted is its label"};

static const char *type_name(enum metric_type type)
{
	static const char *const names[] = {
		[METRIC_COUNTER] = "counter",
		[METRIC_GAUGE] = "gauge",
		[METRIC_HISTOGRAM] = "histogram",
	};

	return names[type];
}

/* What samples of a family are called beyond its name; in OpenMetrics no part of that name. */
static const char *sample_suffix(const struct field_metric *metric)
{
	return metric->type == METRIC_COUNTER ? "_total" : "";
}

static int write_head(const struct exposition *e, const struct field_metric *metric)
{
	const char *suffix = e->metrics->openmetrics ? "" : sample_suffix(metric);
	int err = metrics_print(e->out,
				"# HELP " PREFIX "%s%s %s\n"
				"# TYPE " PREFIX "%s%s %s\n",
				metric->name, suffix, metric->help, metric->name, suffix,
				type_name(metric->type));

	if (err || !e->metrics->openmetrics || !*metric->unit)
		return err;
	return metrics_print(e->out, "# UNIT " PREFIX "%s %s\n", metric->name, metric->unit);
}

/* `labels` and the stage, unless it is the total; to be freed. */
static char *with_stage(const char *labels, uint32_t stage)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs(labels, out);
	if (stage != STAGE_TOTAL)
		fprintf(out, "%sstage=\"%s\"", *labels ? "," : "", iscsi_stage_name(stage));
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static int write_histogram(const struct exposition *e, const struct field *field, size_t i)
{
	cleanup_free char *labels = with_stage(e->labels[i], field->stage);
	char name[64];

	if (!labels)
		return -ENOMEM;
	snprintf(name, sizeof(name), PREFIX "%s", field->metric->name);
	return metrics_histogram(&e->records->records[i], field->stage, name, labels, e->out);
}

static int write_sample(const struct exposition *e, const struct field *field, size_t i)
{
	struct field_value value = {0};

	if (field->metric->type == METRIC_HISTOGRAM)
		return write_histogram(e, field, i);
	field_count_value(field, &e->records->records[i], &value);
	if (!value.known)
		return 0;
	return metrics_print(e->out, PREFIX "%s%s{%s} %" PRIu64 "\n", field->metric->name,
			     sample_suffix(field->metric), e->labels[i], value.count);
}

/* A family's samples stand together, below its head. */
static int write_fields(const struct exposition *e)
{
	const struct field_metric *family = NULL;
	int err = 0;

	for (size_t i = 0; i < field_count && !err; i++) {
		const struct field *field = &fields[i];

		if (field->metric && field->metric != family)
			err = write_head(e, field->metric);
		family = field->metric;
		for (size_t j = 0; family && j < e->records->count && !err; j++)
			err = write_sample(e, field, j);
	}
	return err;
}

static int write_losses(const struct exposition *e, const struct reading *r)
{
	int err = write_head(e, &losses_metric);

	for (int i = 0; i < LOSS_COUNT && !err; i++)
		if (r->loss[i] != LOSS_UNKNOWN)
			err = metrics_print(e->out, PREFIX "%s_total{loss=\"%s\"} %" PRIu64 "\n",
					    losses_metric.name, loss_name(i), r->loss[i]);
	return err;
}

static int write_self(const struct exposition *e, const struct reading *r)
{
	char seconds[METRICS_SECONDS_SIZE];
	int err = write_head(e, &time_metric);

	metrics_seconds(r->start_ns + r->length_ns, seconds);
	if (!err)
		err = metrics_print(e->out, PREFIX "%s %s\n", time_metric.name, seconds);
	if (!err)
		err = write_head(e, &build_metric);
	if (!err)
		err = metrics_print(e->out, PREFIX "%s{version=\"" STORPROTOTRACE_VERSION "\"} 1\n",
				    build_metric.name);
	return err;
}

static int write_exposition(const struct exposition *e, const struct reading *r)
{
	int err = write_fields(e);

	if (!err)
		err = write_losses(e, r);
	if (!err)
		err = write_self(e, r);
	if (!err && e->metrics->openmetrics)
		err = printer_write(e->out, "# EOF\n");
	return err;
}

static int metrics_interval(struct printer *printer, const struct reading *r,
			    const struct records *records)
{
	struct exposition e = {(const struct metrics *)printer, records, NULL, printer->out};
	int err = 0;

	e.labels = calloc(records->count + 1, sizeof(*e.labels));
	if (!e.labels)
		return -ENOMEM;
	for (size_t i = 0; i < records->count && !err; i++) {
		e.labels[i] = metrics_labels(&records->records[i]);
		err = e.labels[i] ? 0 : -ENOMEM;
	}
	if (!err)
		err = write_exposition(&e, r);
	for (size_t i = 0; i < records->count; i++)
		free(e.labels[i]);
	free(e.labels);
	return err;
}

static void metrics_close(struct printer *printer)
{
	free(printer);
}

int metrics_open(const struct options *options, FILE *out, struct printer **printer)
{
	static const struct printer_ops ops = {.interval = metrics_interval,
					       .close = metrics_close};
	struct metrics *metrics = calloc(1, sizeof(*metrics));

	if (!metrics)
		return -ENOMEM;
	metrics->printer.ops = &ops;
	metrics->printer.out = out;
	metrics->openmetrics = options->format == FORMAT_OPENMETRICS;
	*printer = &metrics->printer;
	return 0;
}
