/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a session goes through; shared by the BPF and the user side, hence without includes. */
#ifndef STORPROTOTRACE_SESSION_TURN_H
#define STORPROTOTRACE_SESSION_TURN_H

enum session_turn {
	SESSION_LOGIN,		  /* its connection logged in; code: enum session_login */
	SESSION_LOGOUT,		  /* a session went */
	SESSION_CONN_ERROR,	  /* code: ISCSI_ERR_* */
	SESSION_CONN_STOP,	  /* code: STOP_CONN_* */
	SESSION_BLOCKED,	  /* its LUNs take no commands until it is unblocked */
	SESSION_UNBLOCKED,	  /* duration: how long it was blocked */
	SESSION_RECOVERY_TIMEOUT, /* not back in time: commands fail; duration: as above */
	SESSION_ABORT,		  /* error handling; duration and outcome are known */
	SESSION_LUN_RESET,
	SESSION_TARGET_RESET,
	SESSION_SESSION_RESET,
	SESSION_TURN_COUNT,
};

/* Code of SESSION_LOGIN. */
enum session_login {
	LOGIN_NEW,   /* a new session */
	LOGIN_AGAIN, /* one that had lost its connection */
	LOGIN_COUNT,
};

enum event_outcome {
	OUTCOME_NONE, /* there is none */
	OUTCOME_SUCCESS,
	OUTCOME_FAILED,
	OUTCOME_COUNT,
};

#endif
