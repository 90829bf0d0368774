/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of options that do not go together, with why. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "cli_parser/exclusive.h"
#include "common/log.h"

/* Both given is wrong; with `clash`, only when it says so. */
struct exclusive {
	int first;
	int second;
	bool (*clash)(const struct options *o);
	const char *why;
};

static bool format_is_not_json(const struct options *o)
{
	return o->format != FORMAT_JSON;
}

static bool format_is_not_table(const struct options *o)
{
	return o->format != FORMAT_TABLE;
}

static bool format_has_no_heatmap(const struct options *o)
{
	return o->format != FORMAT_TABLE && o->format != FORMAT_HTML;
}

static bool format_is_html(const struct options *o)
{
	return o->format == FORMAT_HTML;
}

static bool heatmap_is_alone(const struct options *o)
{
	return o->format != FORMAT_HTML;
}

static bool format_has_no_columns(const struct options *o)
{
	return o->format != FORMAT_TABLE && o->format != FORMAT_CSV;
}

static bool count_is_not_one(const struct options *o)
{
	return o->count != 1;
}

static bool attach_is_fentry(const struct options *o)
{
	return o->attach == ATTACH_FENTRY;
}

/* By any of its names: what is not there yet can only be compared as text. */
static bool same_file(const char *a, const char *b)
{
	struct stat first, second;

	if (!strcmp(a, b))
		return true;
	return !stat(a, &first) && !stat(b, &second) && S_ISREG(first.st_mode) &&
	       first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool output_is_record(const struct options *o)
{
	return same_file(o->output, o->record);
}

static bool output_is_replay(const struct options *o)
{
	return same_file(o->output, o->replay);
}

static const struct exclusive exclusives[] = {
	{'j', 'f', format_is_not_json, "two formats are asked for"},
	{'H', 'j', NULL, "histograms are drawn below the table"},
	{'H', 'f', format_is_not_table, "histograms are drawn below the table"},
	{ID_HISTOGRAM_OF, 'j', NULL, "histograms are drawn below the table"},
	{ID_HISTOGRAM_OF, 'f', format_is_not_table, "histograms are drawn below the table"},
	{ID_HEATMAP, 'j', NULL, "a heatmap is drawn for people"},
	{ID_HEATMAP, 'f', format_has_no_heatmap, "a heatmap is drawn for people"},
	{ID_HEATMAP, 'H', NULL, "a heatmap shows histograms already"},
	{ID_HEATMAP, ID_HISTOGRAM_OF, NULL, "a heatmap shows histograms already"},
	{ID_HEATMAP, ID_COLUMNS, NULL, "a heatmap is there instead of the table"},
	{ID_HEATMAP, 'x', heatmap_is_alone, "a heatmap is there instead of the table"},
	{ID_HEATMAP, 'p', heatmap_is_alone, "a heatmap is there instead of the table"},
	{ID_HEATMAP, ID_CUMULATIVE, NULL, "a heatmap shows each interval by itself"},
	{ID_COLUMNS, 'j', NULL, "JSON has names, not columns"},
	{ID_COLUMNS, 'f', format_has_no_columns, "only table and csv have columns"},
	{ID_COLUMNS, 'x', NULL, "both choose the columns"},
	{ID_CUMULATIVE, 'f', format_is_html, "a page shows each interval and their sum"},
	{'1', ID_COUNT, count_is_not_one, "--once is one interval"},
	{ID_LISTEN, '1', NULL, "it would end before anybody asks"},
	{ID_LISTEN, ID_CHECK, NULL, "a check traces nothing"},
	{'v', 'q', NULL, "they are opposites"},
	{'e', ID_SLOWER, NULL, "every command is asked for already"},
	{ID_RECORD, ID_REPLAY, NULL, "a recording is not recorded again"},
	{ID_ATTACH, ID_REPLAY, NULL, "a replay attaches nothing"},
	{ID_CHECK, ID_REPLAY, NULL, "a replay needs nothing of this host"},
	{ID_CHECK, ID_RECORD, NULL, "a check traces nothing"},
	{ID_CHECK, 'o', NULL, "a check goes to standard output"},
	{ID_CHECK, ID_INTERVAL, NULL, "a check takes no interval"},
	{ID_WITHOUT, ID_REPLAY, NULL, "a replay attaches nothing"},
	{ID_MODULE_BTF, ID_REPLAY, NULL, "a replay attaches nothing"},
	{ID_MODULE_BTF, ID_ATTACH, attach_is_fentry, "fentry needs the kernel to have it"},
	{ID_BTF, ID_REPLAY, NULL, "a replay attaches nothing"},
	{ID_BTF, ID_ATTACH, attach_is_fentry, "fentry needs the kernel to have it"},
	{ID_DROP, ID_REPLAY, NULL, "a replay needs no capability"},
	{ID_DROP, ID_CHECK, NULL, "a check ends once attached"},
	{ID_NO_MODULE_BTF, ID_REPLAY, NULL, "a replay attaches nothing"},
	{ID_NO_MODULE_BTF, ID_ATTACH, attach_is_fentry, "fentry needs the modules' BTF"},
	{ID_MAX_INFLIGHT, ID_REPLAY, NULL, "a replay follows no commands"},
	{ID_MAX_KEYS, ID_REPLAY, NULL, "a replay counts no commands"},
	{ID_MAX_AGE, ID_REPLAY, NULL, "a replay follows no commands"},
	{'o', ID_RECORD, output_is_record, "both would write the same file"},
	{'o', ID_REPLAY, output_is_replay, "the recording would be overwritten"},
};

int exclusive_check(const bool seen[ID_LIMIT], const struct options *o)
{
	char first[64], second[64];

	for (size_t i = 0; i < sizeof(exclusives) / sizeof(exclusives[0]); i++) {
		const struct exclusive *pair = &exclusives[i];

		if (!seen[pair->first] || !seen[pair->second] || (pair->clash && !pair->clash(o)))
			continue;
		option_label(option_by_id(pair->first), first, sizeof(first));
		option_label(option_by_id(pair->second), second, sizeof(second));
		log_error("%s with %s: %s", first, second, pair->why);
		return -EINVAL;
	}
	return 0;
}
