/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The printer of the format asked for. */
#include "output/printer.h"

#include <errno.h>
#include "output/printer_ops.h"

int printer_open(const struct options *options, FILE *out, struct printer **printer)
{
	if (options->heatmap && options->format == FORMAT_TABLE)
		return heatmap_open(options, out, printer);
	switch (options->format) {
	case FORMAT_TABLE:
		return table_open(options, out, printer);
	case FORMAT_JSON:
		return json_open(options, out, printer);
	case FORMAT_CSV:
		return csv_open(options, out, printer);
	case FORMAT_PROMETHEUS:
	case FORMAT_OPENMETRICS:
		return metrics_open(options, out, printer);
	case FORMAT_HTML:
		return html_open(options, out, printer);
	}
	return -EINVAL;
}

int printer_interval(struct printer *printer, const struct reading *r,
		     const struct records *records)
{
	int err = printer->ops->interval(printer, r, records);
	int flush_err = printer_flush(printer->out);

	return err ? err : flush_err;
}

int printer_finish(struct printer *printer)
{
	return printer->ops->finish ? printer->ops->finish(printer) : 0;
}

void printer_set_stream(struct printer *printer, FILE *out)
{
	printer->out = out;
	if (printer->ops->restart)
		printer->ops->restart(printer);
}

void printer_close(struct printer *printer)
{
	if (printer)
		printer->ops->close(printer);
}

/* A stream that failed without saying why still failed. */
static int stream_error(void)
{
	return errno ? -errno : -EIO;
}

int printer_write(FILE *out, const char *text)
{
	errno = 0;
	return fputs(text, out) < 0 ? stream_error() : 0;
}

int printer_flush(FILE *out)
{
	errno = 0;
	return fflush(out) != 0 ? stream_error() : 0;
}
