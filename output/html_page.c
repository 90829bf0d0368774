/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A report as one web page: its frame, and text made safe for it. Needs no network and no script.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "output/html.h"
#include "output/stamp.h"
#include "output/text.h"

#define NS_PER_DAY (86400ULL * 1000000000ULL)

/* What is not here is not loaded, whatever a name in the page says. */
static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	"'unsafe-inline'; img-src data:\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<link rel=\"icon\" href=\"data:,\">\n"
	"<title>storprototrace</title>\n"
	"<style>\n"
	"body{font:15px/1.45 sans-serif;max-width:75rem;margin:1rem "
	"auto;padding:0 1rem;color:#222;background:#fff}\n"
	"h1{font-size:1.5rem;margin-bottom:0}h2{font-size:1.15rem;margin:2rem 0 .3rem}\n"
	".wide{overflow-x:auto}\n"
	"table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.15rem .5rem;text-align:right;border-bottom:1px solid #ddd;vertical-align:"
	"top}\n"
	"th{border-bottom:2px solid #888;white-space:nowrap}\n"
	"th.text,td.text{text-align:left;overflow-wrap:anywhere}td.name{min-width:12rem}\n"
	"tr.all td{border-top:2px solid #888;font-weight:bold}\n"
	"svg{width:100%;height:auto;display:block}svg text{font:11px sans-serif;fill:#444}\n"
	".grid{stroke:#ddd}.axis{stroke:#888}.curve{fill:none;stroke-width:1.6;stroke-linecap:"
	"round}\n"
	".mark{stroke:#c00;stroke-dasharray:3 2}.mark.command,.mark.stuck{stroke:#06c}\n"
	".key span{display:inline-block;white-space:nowrap;margin-right:1em;font-size:.85rem}\n"
	".key i{display:inline-block;width:.8em;height:.8em;margin-right:.3em;"
	"border:1px solid #999}\n"
	"pre{font-size:.8rem;white-space:pre-wrap;overflow-wrap:anywhere;max-height:30rem;"
	"overflow-y:auto}\n"
	"*{-webkit-print-color-adjust:exact;print-color-adjust:exact}\n"
	"@media print{@page{margin:12mm}body{font-size:10pt;max-width:none;margin:0;padding:0}\n"
	"section,tr{break-inside:avoid}h2{break-after:avoid}pre{max-height:none}\n"
	".wide{overflow:visible}table{font-size:7.5pt}th,td{padding:.1rem .2rem}"
	"details{display:none}}\n"
	"</style>\n"
	"</head>\n"
	"<body>\n";

/* U+202A..E and U+2066..9: they would show what comes after them in another order. */
static bool is_direction(const char *s)
{
	const unsigned char *b = (const unsigned char *)s;

	return b[0] == 0xe2 && ((b[1] == 0x80 && b[2] >= 0xaa && b[2] <= 0xae) ||
				(b[1] == 0x81 && b[2] >= 0xa6 && b[2] <= 0xa9));
}

void html_text(FILE *out, const char *text)
{
	while (*text) {
		size_t length = text_utf8_length(text);
		char one[8] = "", valid[TEXT_VALID_SIZE(sizeof(one))];

		if (length == 0 || is_direction(text))
			length = 1;
		memcpy(one, text, length);
		text_valid(one, valid);
		if (strchr("<>&\"'", *valid))
			fprintf(out, "&#%d;", *valid);
		else
			fputs(valid, out);
		text += length;
	}
}

void html_ms(FILE *out, double ns)
{
	char text[FIELD_TEXT_SIZE];

	field_ms_text(ns, text);
	fputs(text, out);
}

void html_time(const struct html_page *page, uint64_t ns, FILE *out)
{
	const struct iscsi_stats *last = &page->columns[page->column_count - 1];
	bool days = last->start_ns - page->columns[0].start_ns >= NS_PER_DAY;
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm = {0};
	char text[32];

	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), days ? "%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	fputs(text, out);
}

/* When, how long, how many, and of what. */
static void write_summary(const struct html_page *page, const struct iscsi_stats *all, FILE *out)
{
	const struct reading *total = &page->total;
	const struct iscsi_stats *last;
	char from[STAMP_SIZE], to[STAMP_SIZE], seconds[FIELD_TEXT_SIZE];

	if (!page->column_count) {
		fputs("<p>There was no interval.</p>\n", out);
		return;
	}
	last = &page->columns[page->column_count - 1];
	stamp_local(total->start_ns, from);
	stamp_local(last->start_ns + last->interval_ns, to);
	field_number_text(total->length_ns / 1e9, seconds);
	fprintf(out,
		"<p>%s to %s: %" PRIu64 " interval%s, %s seconds in all. <b>%" PRIu64
		"</b> commands ended, <b>%" PRIu64 "</b> with an error; %" PRIu64
		" were in flight at the end. Times are in milliseconds.</p>\n",
		from, to, page->intervals, page->intervals == 1 ? "" : "s", seconds, all->count,
		all->status_errors + all->host_errors, all->inflight);
	if (!filter_empty(&page->options->filter))
		fputs("<p>Only what the filters of the command line let through.</p>\n", out);
	if (page->per_column > 1)
		fprintf(out, "<p>In the charts %" PRIu64 " intervals are one column.</p>\n",
			page->per_column);
}

int html_page_write(const struct html_page *page, const struct records *rows, FILE *out)
{
	struct iscsi_stats all;
	int err = records_total(rows, &all);

	if (err) {
		free(all.hists);
		return err;
	}
	fputs(head, out);
	fputs("<h1>Where the time of iSCSI commands went</h1>\n", out);
	write_summary(page, &all, out);
	if (page->column_count) {
		html_rows(page, rows, &all, out);
		html_chart_stages(page, out);
		html_stages(page, &all, out);
		html_chart_percentiles(page, out);
		html_chart_heatmap(page, out);
		html_events(page, out);
		html_losses(page, out);
		html_intervals(page, out);
	}
	fputs("<p><small>storprototrace " STORPROTOTRACE_VERSION "</small></p>\n</body>\n</html>\n",
	      out);
	free(all.hists);
	return 0;
}
