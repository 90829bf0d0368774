/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables of a report as a web page. Numbers that scripts want exact are attributes, in ns. */
#include <inttypes.h>
#include "output/html.h"
#include "output/printer.h"

static bool is_text(const struct field *field)
{
	return field->type == FIELD_STRING;
}

/* Names whole and as they are, everything else as in the table. */
static void write_field(const struct field *field, const struct iscsi_stats *stats, FILE *out)
{
	struct field_value value = {0};
	char text[FIELD_TEXT_SIZE];

	fprintf(out, "<td%s>", is_text(field) ? " class=\"text\"" : "");
	if (is_text(field)) {
		field->get(field, stats, &value);
		fputs("<bdi>", out);
		html_text(out, value.known ? value.text : "-");
		fputs("</bdi>", out);
	} else {
		field_text(field, stats, text);
		html_text(out, text);
	}
	fputs("</td>", out);
}

static void write_row(const struct columns *columns, const struct iscsi_stats *stats, FILE *out)
{
	fputs("<tr>", out);
	for (size_t i = 0; i < columns->count; i++)
		write_field(&columns->column[i].field, stats, out);
	fputs("</tr>\n", out);
}

static void write_total(const struct columns *columns, const struct iscsi_stats *all, FILE *out)
{
	bool said = false;

	fputs("<tr class=\"all\">", out);
	for (size_t i = 0; i < columns->count; i++) {
		if (!said && field_is_key(&columns->column[i].field))
			fputs("<td>all</td>", out);
		else
			write_field(&columns->column[i].field, all, out);
		said |= field_is_key(&columns->column[i].field);
	}
	fputs("</tr>\n", out);
}

static void write_head(const struct columns *columns, FILE *out)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct field *field = &columns->column[i].field;

		fprintf(out, "<th%s title=\"", is_text(field) ? " class=\"text\"" : "");
		html_text(out, field->help);
		fputs("\">", out);
		html_text(out, field->name);
		fputs("</th>", out);
	}
}

void html_rows(const struct html_page *page, const struct records *rows,
	       const struct iscsi_stats *all, FILE *out)
{
	struct columns columns;

	columns_init(&columns, page->options->by, page->options);
	fputs("<section>\n<h2>In all</h2>\n<div class=\"wide\"><table id=\"rows\">\n<thead><tr>",
	      out);
	write_head(&columns, out);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < rows->count; i++)
		write_row(&columns, &rows->records[i], out);
	if (rows->count > 1)
		write_total(&columns, all, out);
	fputs("</tbody>\n</table></div>\n</section>\n", out);
}

static void write_ns(bool known, uint64_t ns, FILE *out)
{
	if (!known) {
		fputs("<td>-</td>", out);
		return;
	}
	fprintf(out, "<td data-ns=\"%" PRIu64 "\">", ns);
	html_ms(out, (double)ns);
	fputs("</td>", out);
}

/* Mean, percentiles, maximum. */
static void write_times(const struct html_page *page, const struct iscsi_stats *stats,
			uint32_t stage, FILE *out)
{
	const struct iscsi_stage_time *time = &stats->stages[stage];
	bool known = time->known && time->count > 0;
	double percentiles[PERCENTILES_MAX];
	uint32_t count = html_percentiles(page->options, percentiles);

	fprintf(out, "<td data-ns=\"%" PRIu64 "\" data-count=\"%" PRIu64 "\">", time->sum_ns,
		time->count);
	if (known)
		html_ms(out, (double)time->sum_ns / time->count);
	else
		fputc('-', out);
	fputs("</td>", out);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t ns = 0;
		int err = iscsi_percentile(stats, stage, percentiles[i], &ns);

		write_ns(!err, ns, out);
	}
	write_ns(known, time->max_ns, out);
}

static void write_times_head(const struct html_page *page, FILE *out)
{
	double percentiles[PERCENTILES_MAX];
	uint32_t count = html_percentiles(page->options, percentiles);

	fputs("<th>mean</th>", out);
	for (uint32_t i = 0; i < count; i++) {
		char text[16];

		field_percent_text(percentiles[i], '.', text, sizeof(text));
		fprintf(out, "<th>p%s</th>", text);
	}
	fputs("<th>max</th>", out);
}

void html_stages(const struct html_page *page, const struct iscsi_stats *all, FILE *out)
{
	static const char *const whose[STAGE_COUNT] = {
		[STAGE_BLOCK] = "host: the request exists, not yet tried",
		[STAGE_BUSY] = "target: window closed, no task, or session recovering",
		[STAGE_QUEUE] = "host: waits for the transmit worker",
		[STAGE_SEND] = "host, TCP: header and first data to the socket",
		[STAGE_R2T] = "target, network: waits for permission to send",
		[STAGE_DATA_OUT] = "host, TCP: permitted data to the socket",
		[STAGE_TARGET] = "target, network: sent, no answer yet",
		[STAGE_DATA_IN] = "target, network: the answer comes in",
		[STAGE_DONE] = "host: complete, SCSI not told yet",
		[STAGE_TOTAL] = "",
	};

	fputs("<section>\n<div class=\"wide\"><table id=\"stages\">\n<thead><tr>"
	      "<th class=\"text\">stage</th><th>share</th>",
	      out);
	write_times_head(page, out);
	fputs("<th class=\"text\">whose time it is</th></tr></thead>\n<tbody>\n", out);
	for (uint32_t stage = 0; stage < STAGE_COUNT; stage++) {
		uint64_t sum_ns = all->stages[STAGE_TOTAL].sum_ns;

		fprintf(out, "<tr%s><td class=\"text\"><b style=\"color:%s\">&#9632;</b> %s</td>",
			stage == STAGE_TOTAL ? " class=\"all\"" : "", html_stage_colour(stage),
			iscsi_stage_name(stage));
		fprintf(out, "<td>%.0f%%</td>",
			sum_ns ? 100.0 * (double)all->stages[stage].sum_ns / (double)sum_ns : 0);
		write_times(page, all, stage, out);
		fprintf(out, "<td class=\"text\">%s</td></tr>\n", whose[stage]);
	}
	fputs("</tbody>\n</table></div>\n</section>\n", out);
}

void html_intervals(const struct html_page *page, FILE *out)
{
	fputs("<details>\n<summary>The numbers behind the charts</summary>\n"
	      "<div class=\"wide\"><table id=\"intervals\">\n<thead><tr><th>from</th>"
	      "<th>seconds</th><th>commands</th><th>bytes</th><th>errors</th>",
	      out);
	write_times_head(page, out);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < page->column_count; i++) {
		const struct iscsi_stats *column = &page->columns[i];
		char seconds[FIELD_TEXT_SIZE];

		fprintf(out, "<tr><td data-ns=\"%" PRIu64 "\">", column->start_ns);
		html_time(page, column->start_ns, out);
		field_number_text(column->interval_ns / 1e9, seconds);
		fprintf(out,
			"</td><td data-ns=\"%" PRIu64 "\">%s</td><td>%" PRIu64 "</td><td>%" PRIu64
			"</td><td>%" PRIu64 "</td>",
			column->interval_ns, seconds, column->count, column->total_bytes,
			column->status_errors + column->host_errors);
		write_times(page, column, STAGE_TOTAL, out);
		fputs("</tr>\n", out);
	}
	fputs("</tbody>\n</table></div>\n</details>\n", out);
}

void html_events(const struct html_page *page, FILE *out)
{
	fputs("<section>\n<h2>Events</h2>\n", out);
	if (page->event_count)
		fputs("<pre id=\"events\">\n", out);
	for (size_t i = 0; i < page->event_count; i++)
		html_text(out, page->events[i].line);
	fputs(page->event_count ? "</pre>\n" : "<p>None.</p>\n", out);
	for (uint32_t type = 0; type < EVENT_TYPE_COUNT; type++)
		if (page->left_out[type])
			fprintf(out, "<p>%" PRIu64 " more of type %s are left out.</p>\n",
				page->left_out[type], event_type_name(type));
	fputs("</section>\n", out);
}

void html_losses(const struct html_page *page, FILE *out)
{
	const uint64_t *loss = page->total.loss;
	bool lost = false;

	fputs("<section>\n<h2>Losses</h2>\n<ul id=\"losses\">\n", out);
	for (int i = 0; i < LOSS_COUNT; i++) {
		if (loss[i] == 0)
			continue;
		lost = true;
		fprintf(out, "<li>%s: ", loss_meaning(i));
		if (loss[i] == LOSS_UNKNOWN)
			fputs("not known", out);
		else
			fprintf(out, "%" PRIu64, loss[i]);
		fprintf(out, " (%s)</li>\n", loss_name(i));
	}
	fputs(lost ? "</ul>\n"
		   : "<li>None: every command was followed from beginning to end.</li>\n</ul>\n",
	      out);
	fputs("</section>\n", out);
}
