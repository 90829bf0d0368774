// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of what a session goes through, and of the kernel's numbers for the reasons. */
#include <stddef.h>
#include "common/event.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* include/scsi/iscsi_if.h: enum iscsi_err, less its ISCSI_ERR_BASE. */
#define ERR_BASE 1000
static const char *const errors[] = {
	[1] = "DATASN",		  [2] = "DATA_OFFSET",	   [3] = "MAX_CMDSN",
	[4] = "EXP_CMDSN",	  [5] = "BAD_OPCODE",	   [6] = "DATALEN",
	[7] = "AHSLEN",		  [8] = "PROTO",	   [9] = "LUN",
	[10] = "BAD_ITT",	  [11] = "CONN_FAILED",	   [12] = "R2TSN",
	[13] = "SESSION_FAILED",  [14] = "HDR_DGST",	   [15] = "DATA_DGST",
	[16] = "PARAM_NOT_FOUND", [17] = "NO_SCSI_CMD",	   [18] = "INVALID_HOST",
	[19] = "XMIT_FAILED",	  [20] = "TCP_CONN_CLOSE", [21] = "SCSI_EH_SESSION_RST",
	[22] = "NOP_TIMEDOUT",
};

/* The same file: STOP_CONN_*. */
static const char *const stops[] = {[1] = "TERM", [2] = "SUSPEND", [3] = "RECOVER"};

static const char *const logins[LOGIN_COUNT] = {[LOGIN_NEW] = "new", [LOGIN_AGAIN] = "again"};

const char *session_turn_name(uint32_t turn)
{
	static const char *const names[SESSION_TURN_COUNT] = {
		[SESSION_LOGIN] = "login",
		[SESSION_LOGOUT] = "logout",
		[SESSION_CONN_ERROR] = "connection_error",
		[SESSION_CONN_STOP] = "connection_stop",
		[SESSION_BLOCKED] = "blocked",
		[SESSION_UNBLOCKED] = "unblocked",
		[SESSION_RECOVERY_TIMEOUT] = "recovery_timeout",
		[SESSION_ABORT] = "abort",
		[SESSION_LUN_RESET] = "lun_reset",
		[SESSION_TARGET_RESET] = "target_reset",
		[SESSION_SESSION_RESET] = "session_reset",
	};

	return turn < SESSION_TURN_COUNT ? names[turn] : NULL;
}

const char *session_code_name(uint32_t turn, uint32_t code)
{
	switch (turn) {
	case SESSION_CONN_ERROR:
		code -= ERR_BASE;
		return code < ARRAY_SIZE(errors) ? errors[code] : NULL;
	case SESSION_CONN_STOP:
		return code < ARRAY_SIZE(stops) ? stops[code] : NULL;
	case SESSION_LOGIN:
		return code < LOGIN_COUNT ? logins[code] : NULL;
	default:
		return NULL;
	}
}

const char *event_outcome_name(uint32_t outcome)
{
	static const char *const names[OUTCOME_COUNT] = {
		[OUTCOME_NONE] = "none",
		[OUTCOME_SUCCESS] = "success",
		[OUTCOME_FAILED] = "failed",
	};

	return outcome < OUTCOME_COUNT ? names[outcome] : NULL;
}
