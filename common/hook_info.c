// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is lost without a hook: the stage before its event has the time of the one after it. */
#include <errno.h>
#include <string.h>
#include "common/hook_info.h"
#include "common/reading.h"

const struct hook_info hook_infos[HOOK_INFO_COUNT] = {
	{"submit", true, 0, "everything: commands are not seen starting"},
	{"dequeue", false, 1U << STAGE_SEND,
	 "stage send (queue has its time); PDUs are not counted, the connection id is taken for 0"},
	{"sent", false, 1U << STAGE_R2T | 1U << STAGE_DATA_OUT | 1U << STAGE_TARGET,
	 "stages r2t, data_out and target (send has their time)"},
	{"r2t", false, 1U << STAGE_R2T | 1U << STAGE_DATA_OUT,
	 "stages r2t and data_out (target has their time); R2Ts are not counted"},
	{"response", false, 1U << STAGE_DATA_IN, "stage data_in (target has its time)"},
	{"complete", false, 1U << STAGE_DONE, "stage done (data_in has its time)"},
	{"cleanup", true, 0, "everything: commands are not seen ending"},
	{"refused", false, 0, "refused attempts are counted as no_task"},
	{"login", false, 0, "events login"},
	{"logout", false, 0, "events logout"},
	{"conn_error", false, 0, "events connection_error"},
	{"conn_stop", false, 0, "events connection_stop"},
	{"block", false, 0, "events blocked, and for how long a session was"},
	{"unblock", false, 0, "events unblocked"},
	{"recovery_timeout", false, 0, "events recovery_timeout"},
	{"abort", false, 0, "events abort"},
	{"lun_reset", false, 0, "events lun_reset"},
	{"target_reset", false, 0, "events target_reset"},
	{"session_reset", false, 0, "events session_reset"},
};

int hook_info_find(const char *name)
{
	for (int i = 0; i < HOOK_INFO_COUNT; i++)
		if (!strcmp(hook_infos[i].name, name))
			return i;
	return -ENOENT;
}

uint32_t hook_stages_known(uint32_t missing)
{
	uint32_t unknown = 0;

	for (int i = 0; i < HOOK_INFO_COUNT; i++)
		if (missing >> i & 1)
			unknown |= hook_infos[i].stages;
	return STAGES_ALL_KNOWN & ~unknown;
}
