// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A command of its own - slow, stuck, or simply every one - in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "common/common.h"
#include "output/event_json.h"
#include "output/event_line.h"
#include "output/field.h"
#include "output/scsi_words.h"

#define NS_PER_S    1000000000ULL
#define HOST_SHIFT  16
#define BYTE_MASK   0xff
#define SENSE_SHIFT 16

static uint32_t host_byte(const struct event *event)
{
	return event->result >> HOST_SHIFT & BYTE_MASK;
}

static void add_text_or_null(struct json_object *object, const char *name, const char *text)
{
	if (text)
		json_add_text(object, name, text);
	else
		json_add_null(object, name);
}

/* A status only where one came; a host byte only where there is one. */
static void add_result(struct json_object *object, const struct event *event)
{
	char status[SCSI_WORDS_SIZE], host[SCSI_WORDS_SIZE], sense[SCSI_WORDS_SIZE];
	bool known = event->result != EVENT_NONE_32, sensed = event->sense != EVENT_NONE_32;
	bool failed_here = host_byte(event) && !(event->result & BYTE_MASK);

	scsi_status_name(event->result & BYTE_MASK, status);
	scsi_host_name(host_byte(event), host);
	scsi_sense_text(event->sense & 0xffff, sense);
	add_text_or_null(object, "status", known && !failed_here ? status : NULL);
	add_text_or_null(object, "host", known && host_byte(event) ? host : NULL);
	add_text_or_null(object, "sense_key",
			 sensed ? scsi_sense_key_name(event->sense >> SENSE_SHIFT) : NULL);
	add_text_or_null(object, "sense_text", sensed ? sense : NULL);
}

static void add_stages(struct json_object *object, const struct event *event)
{
	struct json_object *stages = json_add_object(object, "stages");

	for (uint32_t stage = 0; stage < STAGE_COUNT; stage++) {
		if (event->stage_ns[stage] == EVENT_NONE)
			json_add_null(stages, iscsi_stage_name(stage));
		else
			json_add_count(stages, iscsi_stage_name(stage), event->stage_ns[stage]);
	}
}

void event_json_command(struct json_object *object, const struct event *event)
{
	char opcode[SCSI_WORDS_SIZE];

	scsi_opcode_name(event->opcode, event->service_action, opcode);
	json_add_text(object, "op", iscsi_op_name(event->op));
	json_add_text(object, "opcode_name", opcode);
	if (event->type == EVENT_STUCK) {
		json_add_text(object, "stage", iscsi_stage_name(event->stage));
		add_text_or_null(object, "session_state", session_state_name(event->session_state));
		return;
	}
	add_result(object, event);
	add_stages(object, event);
	json_add_text(object, "longest", iscsi_stage_name(event->stage));
}

/* What a line is made of, piece by piece; what does not fit is cut off. */
struct words {
	char *text;
	size_t size;
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void say(struct words *w, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(w->text + w->length, w->size - w->length, format, args);
	va_end(args);
	if (length > 0)
		w->length += (size_t)length;
	if (w->length >= w->size)
		w->length = w->size - 1;
}

static void say_what(struct words *w, const struct event *event)
{
	char opcode[SCSI_WORDS_SIZE];

	scsi_opcode_name(event->opcode, event->service_action, opcode);
	say(w, "%s", opcode);
	if (event->lba != EVENT_NONE)
		say(w, " lba %" PRIu64, event->lba);
	if (event->blocks != EVENT_NONE_32)
		say(w, " %u block%s", event->blocks, event->blocks == 1 ? "" : "s");
	else if (event->length != EVENT_NONE_32 && event->length)
		say(w, " %u bytes", event->length);
}

/* The longest stage that `said` leaves out; STAGE_TOTAL: what is left is less than one per cent. */
static uint32_t next_longest(const struct event *event, uint32_t said)
{
	uint64_t least = event->stage_ns[STAGE_TOTAL] / 100, longest = 0;
	uint32_t found = STAGE_TOTAL;

	for (uint32_t stage = 0; stage < STAGE_TOTAL; stage++) {
		uint64_t ns = event->stage_ns[stage];

		if (said >> stage & 1 || ns == EVENT_NONE || ns < least || ns <= longest)
			continue;
		longest = ns;
		found = stage;
	}
	return found;
}

static void say_stages(struct words *w, const struct event *event)
{
	char number[FIELD_TEXT_SIZE];
	uint32_t said = 0, stage;

	field_ms_text(event->stage_ns[STAGE_TOTAL], number);
	say(w, " %s ms:", number);
	while ((stage = next_longest(event, said)) != STAGE_TOTAL) {
		field_ms_text(event->stage_ns[stage], number);
		say(w, " %s %s", iscsi_stage_name(stage), number);
		said |= 1U << stage;
	}
}

static void say_result(struct words *w, const struct event *event)
{
	char text[SCSI_WORDS_SIZE];
	const char *key = scsi_sense_key_name(event->sense >> SENSE_SHIFT);

	if (event->result == EVENT_NONE_32) {
		say(w, ", result not known");
	} else if (!event->result) {
		say(w, ", good");
	} else if (host_byte(event)) {
		scsi_host_name(host_byte(event), text);
		say(w, ", %s", text);
	} else {
		scsi_status_name(event->result & BYTE_MASK, text);
		say(w, ", %s", text);
	}
	if (event->sense != EVENT_NONE_32 && key) {
		scsi_sense_text(event->sense & 0xffff, text);
		say(w, ": %s, %s", key, text);
	}
	if (event->attempts != EVENT_NONE_32 && event->attempts > 1)
		say(w, ", %u attempts", event->attempts);
}

static void say_stuck(struct words *w, const struct event *event)
{
	char number[FIELD_TEXT_SIZE];
	bool seconds = event->age_ns >= NS_PER_S;
	const char *state = session_state_name(event->session_state);

	/* 3 significant digits of thousandths are the same of the unit above. */
	field_ms_text(seconds ? event->age_ns / 1000 : event->age_ns, number);
	say(w, " in %s for %s %s", iscsi_stage_name(event->stage), number, seconds ? "s" : "ms");
	if (event->attempts != EVENT_NONE_32)
		say(w, ", attempt %u", event->attempts);
	if (event->itt != EVENT_NONE_32)
		say(w, ", itt 0x%08x", event->itt);
	if (state)
		say(w, ", session %s", state);
}

void event_words_command(const struct event *event, char *text, size_t size)
{
	struct words w = {.text = text, .size = size};

	text[0] = '\0';
	say_what(&w, event);
	if (event->type == EVENT_STUCK) {
		say_stuck(&w, event);
		return;
	}
	say_stages(&w, event);
	say_result(&w, event);
}
