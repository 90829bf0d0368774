/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The field table: every value of a record once - name, unit, width, type, help, getter. */
#ifndef STORPROTOTRACE_FIELD_H
#define STORPROTOTRACE_FIELD_H

#include <stddef.h>
#include <stdio.h>
#include "common/common.h"

#ifdef __cplusplus
extern "C" {
#endif

enum field_type {
	FIELD_STRING, /* as named; printers make it safe */
	FIELD_COUNT,  /* integer without unit */
	FIELD_RATE,   /* per second */
	FIELD_MBYTES, /* MB/s, 10^6 bytes */
	FIELD_MS,     /* milliseconds */
	FIELD_SHARE,  /* per cent of total */
	FIELD_RATIO,  /* a plain number with a fraction, e.g. average queue length */
};

enum metric_type {
	METRIC_COUNTER,
	METRIC_GAUGE,
	METRIC_HISTOGRAM, /* of the field's stage */
};

/* How monitoring knows a field. */
struct field_metric {
	const char *name; /* without the "storprototrace_" before and the "_total" behind it */
	const char *unit; /* base unit, which the name ends with: "seconds", "bytes"; "" for none */
	enum metric_type type;
	const char *help; /* one line: no quotes, no backslashes */
};

/* A value as taken from a record; which member is good follows from the field's type. */
struct field_value {
	bool known; /* false: printed as "-" or null */
	const char *text;
	uint64_t count; /* also the place of a text that is not in the order of its letters */
	double number;
};

struct field {
	const char *name; /* column header in the table, as people know it: "r/s", "p99" */
	/* member in the machine format: a string or, from value.count, an integer; NULL: none */
	const char *json;
	const char *unit; /* "ms", "MB/s", ...; "" for none */
	int width;	  /* columns it wants in fixed-width lines */
	enum field_type type;
	uint32_t keys;	  /* shown when the grouping determines these (enum group_by); 0: always */
	bool gauge;	  /* with keys: a number that they have, not one of them */
	const char *help; /* one line, for --help and the man page */
	void (*get)(const struct field *field, const struct iscsi_stats *stats,
		    struct field_value *value);
	uint32_t stage; /* for fields of one stage: enum iscsi_stage, else STAGE_COUNT */
	double percent; /* for percentile fields, else 0 */
	size_t offset;	/* plain members: where in struct iscsi_stats */
	/* neighbours that share one are one metric, told apart by a label "stage"; NULL: none */
	const struct field_metric *metric;
};

/* All fields, keys first, in the order in which formats show them. */
extern const struct field fields[];
extern const size_t field_count;

/* Does it tell records apart: sid, target, op, ...? */
bool field_is_key(const struct field *field);

/* The field of that name; NULL when there is none. */
const struct field *field_find(const char *name);

/*
 * The count behind a field of type FIELD_COUNT, FIELD_RATE or FIELD_MBYTES, as it is added up
 * (commands, bytes), not per second.
 */
void field_count_value(const struct field *field, const struct iscsi_stats *stats,
		       struct field_value *value);

/* Room for any value as text: the longest name with every byte escaped. */
#define FIELD_TEXT_SIZE (4 * ISCSI_PORTAL_SIZE)

/*
 * The field's value of a record as people read it, safe for a terminal in this thread's locale,
 * without spaces; "-" when unknown. Numbers do not depend on the locale.
 */
void field_text(const struct field *field, const struct iscsi_stats *stats,
		char text[FIELD_TEXT_SIZE]);

/* Nanoseconds as milliseconds, as field_text() shows them. */
void field_ms_text(double ns, char text[FIELD_TEXT_SIZE]);

/* A number as field_text() writes one: three significant digits, at most six decimals. */
void field_number_text(double number, char text[FIELD_TEXT_SIZE]);

/* Lists the fields with unit and help, for --help. */
void field_help(FILE *out);

/* "99", "99.95" or, with point '_', "99_95". */
void field_percent_text(double percent, char point, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
