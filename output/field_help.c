// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The field table as --help lists it. */
#include "output/field.h"

void field_help(FILE *out)
{
	fputs("Columns (times in milliseconds; MB are 10^6 bytes):\n", out);
	for (size_t i = 0; i < field_count; i++)
		fprintf(out, "  %-11s %-5s %s\n", fields[i].name, fields[i].unit, fields[i].help);
}
