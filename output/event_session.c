// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A turn of a session's life in words. */
#include <inttypes.h>
#include <stdio.h>
#include "output/event_json.h"
#include "output/event_line.h"

#define DURATION_SIZE 48

void event_json_session(struct json_object *object, const struct event *event)
{
	const char *code = session_code_name(event->turn, event->code);

	json_add_text(object, "event", session_turn_name(event->turn));
	if (code)
		json_add_text(object, "code_name", code);
	else
		json_add_null(object, "code_name");
	if (event_outcome_name(event->outcome))
		json_add_text(object, "outcome", event_outcome_name(event->outcome));
	else
		json_add_null(object, "outcome");
}

/* " after 6.02 s"; nothing when it is not known. */
static void duration_words(uint64_t ns, char *text, size_t size)
{
	double seconds = ns / 1e9;

	text[0] = '\0';
	if (ns == EVENT_NONE)
		return;
	if (seconds < 0.9995)
		snprintf(text, size, " after %.3g ms", seconds * 1e3);
	else
		snprintf(text, size, " after %.2f s", seconds);
}

/* "abort of LUN 0: success after 1.90 s" */
static void recovery_words(const struct event *event, const char *what, char *text, size_t size)
{
	const char *outcome = event_outcome_name(event->outcome);
	char lun[32] = "", duration[DURATION_SIZE];

	if (event->lun != EVENT_NONE)
		snprintf(lun, sizeof(lun), " of LUN %" PRIu64, event->lun);
	duration_words(event->duration_ns, duration, sizeof(duration));
	snprintf(text, size, "%s%s: %s%s", what, lun, outcome ? outcome : "ended", duration);
}

/* "connection error 1020 TCP_CONN_CLOSE" */
static void code_words(const struct event *event, const char *what, char *text, size_t size)
{
	const char *name = session_code_name(event->turn, event->code);

	snprintf(text, size, "%s %" PRIu32 "%s%s", what, event->code, name ? " " : "",
		 name ? name : "");
}

void event_words_session(const struct event *event, char *text, size_t size)
{
	char duration[DURATION_SIZE];

	duration_words(event->duration_ns, duration, sizeof(duration));
	switch (event->turn) {
	case SESSION_LOGIN:
		snprintf(text, size, "logged in%s", event->code == LOGIN_AGAIN ? " again" : "");
		break;
	case SESSION_LOGOUT:
		snprintf(text, size, "logged out");
		break;
	case SESSION_CONN_ERROR:
		code_words(event, "connection error", text, size);
		break;
	case SESSION_CONN_STOP:
		code_words(event, "connection stopped:", text, size);
		break;
	case SESSION_BLOCKED:
		snprintf(text, size, "blocked");
		break;
	case SESSION_UNBLOCKED:
		snprintf(text, size, "unblocked%s", duration);
		break;
	case SESSION_RECOVERY_TIMEOUT:
		snprintf(text, size, "recovery timeout%s: commands fail", duration);
		break;
	case SESSION_ABORT:
		recovery_words(event, "abort", text, size);
		break;
	case SESSION_LUN_RESET:
		recovery_words(event, "reset", text, size);
		break;
	case SESSION_TARGET_RESET:
		recovery_words(event, "target reset", text, size);
		break;
	default:
		recovery_words(event, "session reset", text, size);
		break;
	}
}
