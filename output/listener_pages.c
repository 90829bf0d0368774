/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The metrics as HTTP responses. A page is made when the first client asks for it, once per
 * interval and format, and shared by all that ask; one that is still being sent stays until it is.
 */
#include "output/listener_pages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/group.h"
#include "common/log.h"
#include "output/accept.h"
#include "output/printer.h"

enum page_kind { PAGE_TEXT, PAGE_OPENMETRICS, PAGE_COUNT };

/* What is said besides pages. */
enum saying { SAY_POINTER, SAY_UNKNOWN, SAY_READ_ONLY, SAY_EARLY, SAY_FAILED, SAYINGS };

struct page {
	struct printer *printer;
	struct MHD_Response *response; /* NULL: nobody has asked for it since the interval ended */
};

struct listener_pages {
	const struct options *options;
	struct reading total; /* since the start; number is 0 before the first interval ended */
	struct page pages[PAGE_COUNT];
	uint64_t made; /* pages, since the start */
	struct MHD_Response *sayings[SAYINGS];
};

static const struct {
	enum output_format format;
	const char *type;
} page_kinds[PAGE_COUNT] = {
	[PAGE_TEXT] = {FORMAT_PROMETHEUS, "text/plain; version=0.0.4; charset=utf-8"},
	[PAGE_OPENMETRICS] = {FORMAT_OPENMETRICS,
			      "application/openmetrics-text; version=1.0.0; charset=utf-8"},
};

static const struct {
	unsigned int status;
	const char *text;
	const char *header, *value; /* NULL: none of its own */
} sayings[SAYINGS] = {
	[SAY_POINTER] = {MHD_HTTP_OK, "storprototrace: see /metrics\n"},
	[SAY_UNKNOWN] = {MHD_HTTP_NOT_FOUND, "only /metrics is here\n"},
	[SAY_READ_ONLY] = {MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD are allowed\n",
			   MHD_HTTP_HEADER_ALLOW, "GET, HEAD"},
	[SAY_EARLY] = {MHD_HTTP_SERVICE_UNAVAILABLE, "the first interval has not ended\n",
		       MHD_HTTP_HEADER_RETRY_AFTER, "1"},
	[SAY_FAILED] = {MHD_HTTP_INTERNAL_SERVER_ERROR, "the page cannot be made\n"},
};

/* Names in a page come from targets: no browser is to see anything but text in them. */
static bool add_headers(struct MHD_Response *response, const char *type)
{
	return MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_YES &&
	       MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") == MHD_YES &&
	       MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store") ==
		       MHD_YES;
}

/* Puts the page into *text, to be freed whatever is returned. 0 or -errno. */
static int print_page(struct listener_pages *pages, struct printer *printer, char **text,
		      size_t *size)
{
	const struct options *o = pages->options;
	struct records records = {0};
	FILE *out = open_memstream(text, size);
	int err;

	if (!out)
		return -errno;
	err = group_reading(&pages->total, &o->filter, o->by, o->hide_idle, &records);
	printer_set_stream(printer, out);
	if (!err)
		err = printer_interval(printer, &pages->total, &records);
	records_deinit(&records);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

static int make_page(struct listener_pages *pages, enum page_kind kind)
{
	struct page *page = &pages->pages[kind];
	char *text = NULL;
	size_t size = 0;
	int err = print_page(pages, page->printer, &text, &size);

	if (!err)
		page->response = MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
	if (!page->response)
		free(text);
	else if (!add_headers(page->response, page_kinds[kind].type)) {
		MHD_destroy_response(page->response);
		page->response = NULL;
	}
	if (!page->response)
		return err ? err : -ENOMEM;
	pages->made++;
	return 0;
}

uint64_t listener_pages_made(const struct listener_pages *pages)
{
	return pages->made;
}

static enum MHD_Result say(const struct listener_pages *pages, struct MHD_Connection *connection,
			   enum saying what)
{
	return MHD_queue_response(connection, sayings[what].status, pages->sayings[what]);
}

static enum MHD_Result answer_page(struct listener_pages *pages, struct MHD_Connection *connection)
{
	const char *accept =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	enum page_kind kind = accept_openmetrics(accept) ? PAGE_OPENMETRICS : PAGE_TEXT;
	int err;

	if (!pages->total.number)
		return say(pages, connection, SAY_EARLY);
	err = pages->pages[kind].response ? 0 : make_page(pages, kind);
	if (!err)
		return MHD_queue_response(connection, MHD_HTTP_OK, pages->pages[kind].response);
	log_warn("metrics: cannot be served: %s", strerror(-err));
	return say(pages, connection, SAY_FAILED);
}

enum MHD_Result listener_pages_answer(struct listener_pages *pages,
				      struct MHD_Connection *connection, const char *path,
				      const char *method)
{
	bool is_page = !strcmp(path, "/metrics");

	if (!is_page && strcmp(path, "/"))
		return say(pages, connection, SAY_UNKNOWN);
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return say(pages, connection, SAY_READ_ONLY);
	return is_page ? answer_page(pages, connection) : say(pages, connection, SAY_POINTER);
}

static void drop_pages(struct listener_pages *pages)
{
	for (int i = 0; i < PAGE_COUNT; i++) {
		if (pages->pages[i].response)
			MHD_destroy_response(pages->pages[i].response);
		pages->pages[i].response = NULL;
	}
}

int listener_pages_interval(struct listener_pages *pages, const struct reading *r)
{
	/* A page has no events. */
	struct reading counted = *r;

	counted.event_count = 0;
	drop_pages(pages);
	if (pages->options->cumulative)
		reading_deinit(&pages->total);
	return reading_merge(&pages->total, &counted);
}

static int make_sayings(struct listener_pages *pages)
{
	for (int i = 0; i < SAYINGS; i++) {
		struct MHD_Response *response = MHD_create_response_from_buffer(
			strlen(sayings[i].text), (void *)sayings[i].text, MHD_RESPMEM_PERSISTENT);

		pages->sayings[i] = response;
		if (!response || !add_headers(response, "text/plain; charset=utf-8"))
			return -ENOMEM;
		if (sayings[i].header && MHD_add_response_header(response, sayings[i].header,
								 sayings[i].value) != MHD_YES)
			return -ENOMEM;
	}
	return 0;
}

static int open_printers(struct listener_pages *pages)
{
	struct options options = *pages->options;
	int err = 0;

	for (int i = 0; i < PAGE_COUNT && !err; i++) {
		options.format = page_kinds[i].format;
		err = printer_open(&options, NULL, &pages->pages[i].printer);
	}
	return err;
}

int listener_pages_open(const struct options *options, struct listener_pages **out)
{
	struct listener_pages *pages = calloc(1, sizeof(*pages));
	int err;

	if (!pages)
		return -ENOMEM;
	pages->options = options;
	reading_init(&pages->total);
	err = open_printers(pages);
	if (!err)
		err = make_sayings(pages);
	if (!err)
		*out = pages;
	else
		listener_pages_close(pages);
	return err;
}

void listener_pages_close(struct listener_pages *pages)
{
	if (!pages)
		return;
	drop_pages(pages);
	for (int i = 0; i < PAGE_COUNT; i++)
		printer_close(pages->pages[i].printer);
	for (int i = 0; i < SAYINGS; i++)
		if (pages->sayings[i])
			MHD_destroy_response(pages->sayings[i]);
	reading_deinit(&pages->total);
	free(pages);
}
