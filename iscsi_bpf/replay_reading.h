/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A reading from its line in a recording. */
#ifndef STORPROTOTRACE_REPLAY_READING_H
#define STORPROTOTRACE_REPLAY_READING_H

#include <json-c/json.h>
#include "common/reading.h"

/*
 * Fills the empty reading. 0; -ENOMEM; -EINVAL with the member that is missing or wrong in *bad.
 * After a failure the reading is empty again.
 */
int replay_reading(struct json_object *line, struct reading *r, const char **bad);

#endif
