/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events of sessions: in words, in JSON, in recordings, past filters, and as they come from the
 * kernel. */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <unistd.h>
#include <json-c/json.h>
#include "test/common_host.h"
#include "iscsi_bpf/record.h"
extern "C" {
#include "iscsi_bpf/turns.h"
#include "output/event_json.h"
#include "output/event_line.h"
}

namespace
{

constexpr uint64_t NOON_NS = 1795953601123456789; /* 2026-11-29T12:00:01.123Z */

class SessionEvent : public testing::Test
{
      protected:
	struct reading r_;

	SessionEvent()
	{
		setenv("TZ", "UTC", 1);
		tzset();
		reading_init(&r_);
		name_session(&r_, 1, "iqn.x:a", "10.0.0.5:3260");
		snprintf(reading_lun(&r_, 1, 0)->disk, DISK_NAME_SIZE, "sda");
	}

	~SessionEvent() override
	{
		reading_deinit(&r_);
	}

	struct event *add(uint32_t turn)
	{
		struct event *event = reading_event(&r_, EVENT_SESSION);

		event->time_ns = NOON_NS;
		event->sid = 1;
		event->cid = 0;
		event->turn = turn;
		return event;
	}

	std::string line(const struct event *event)
	{
		char *text = nullptr;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		EXPECT_EQ(0, event_line(event, &r_, out));
		fclose(out);
		std::string copy(text, size);
		free(text);
		return copy;
	}

	std::string words(uint32_t turn, uint32_t code, uint64_t duration_ns = EVENT_NONE,
			  uint32_t outcome = EVENT_NONE_32, uint64_t lun = EVENT_NONE)
	{
		char text[EVENT_LINE_SIZE];
		struct event *event = add(turn);

		event->code = code;
		event->duration_ns = duration_ns;
		event->outcome = outcome;
		event->lun = lun;
		event_words_session(event, text, sizeof(text));
		return text;
	}
};

TEST_F(SessionEvent, words)
{
	EXPECT_EQ("logged in", words(SESSION_LOGIN, LOGIN_NEW));
	EXPECT_EQ("logged in again", words(SESSION_LOGIN, LOGIN_AGAIN));
	EXPECT_EQ("logged out", words(SESSION_LOGOUT, EVENT_NONE_32));
	EXPECT_EQ("connection error 1022 NOP_TIMEDOUT", words(SESSION_CONN_ERROR, 1022));
	EXPECT_EQ("connection error 1099", words(SESSION_CONN_ERROR, 1099));
	EXPECT_EQ("connection stopped: 3 RECOVER", words(SESSION_CONN_STOP, 3));
	EXPECT_EQ("blocked", words(SESSION_BLOCKED, EVENT_NONE_32));
	EXPECT_EQ("unblocked after 6.02 s", words(SESSION_UNBLOCKED, EVENT_NONE_32, 6021000000));
	EXPECT_EQ("unblocked", words(SESSION_UNBLOCKED, EVENT_NONE_32));
	EXPECT_EQ("recovery timeout after 2.00 s: commands fail",
		  words(SESSION_RECOVERY_TIMEOUT, EVENT_NONE_32, 2000000000));
	EXPECT_EQ("abort of LUN 0: success after 1.90 s",
		  words(SESSION_ABORT, EVENT_NONE_32, 1900000000, OUTCOME_SUCCESS, 0));
	EXPECT_EQ("reset of LUN 7: failed after 12.3 ms",
		  words(SESSION_LUN_RESET, EVENT_NONE_32, 12345678, OUTCOME_FAILED, 7));
	EXPECT_EQ("target reset: success after 999 ms",
		  words(SESSION_TARGET_RESET, EVENT_NONE_32, 999400000, OUTCOME_SUCCESS));
	EXPECT_EQ("session reset: success after 1.00 s",
		  words(SESSION_SESSION_RESET, EVENT_NONE_32, 999600000, OUTCOME_SUCCESS));
}

TEST_F(SessionEvent, names_of_codes)
{
	EXPECT_STREQ("DATASN", session_code_name(SESSION_CONN_ERROR, 1001));
	EXPECT_STREQ("CONN_FAILED", session_code_name(SESSION_CONN_ERROR, 1011));
	EXPECT_STREQ("TCP_CONN_CLOSE", session_code_name(SESSION_CONN_ERROR, 1020));
	EXPECT_STREQ("SCSI_EH_SESSION_RST", session_code_name(SESSION_CONN_ERROR, 1021));
	for (uint32_t code = 1001; code <= 1022; code++)
		EXPECT_NE(nullptr, session_code_name(SESSION_CONN_ERROR, code)) << code;
	for (uint32_t code : {0U, 1U, 999U, 1000U, 1023U, EVENT_NONE_32})
		EXPECT_EQ(nullptr, session_code_name(SESSION_CONN_ERROR, code)) << code;
	EXPECT_STREQ("TERM", session_code_name(SESSION_CONN_STOP, 1));
	EXPECT_STREQ("SUSPEND", session_code_name(SESSION_CONN_STOP, 2));
	EXPECT_EQ(nullptr, session_code_name(SESSION_CONN_STOP, 0));
	EXPECT_EQ(nullptr, session_code_name(SESSION_CONN_STOP, 4));
	EXPECT_STREQ("new", session_code_name(SESSION_LOGIN, 0));
	EXPECT_EQ(nullptr, session_code_name(SESSION_LOGIN, 2));
	EXPECT_EQ(nullptr, session_code_name(SESSION_BLOCKED, 1));
}

TEST_F(SessionEvent, line)
{
	struct event *event = add(SESSION_BLOCKED);

	EXPECT_EQ("12:00:01.123 sid 1 iqn.x:a blocked\n", line(event));
	event->turn = SESSION_ABORT;
	event->lun = 0;
	event->outcome = OUTCOME_SUCCESS;
	event->duration_ns = 1900000000;
	EXPECT_EQ("12:00:01.123 sid 1 sda abort of LUN 0: success after 1.90 s\n", line(event));
	event->lun = 5;
	EXPECT_EQ("12:00:01.123 sid 1 iqn.x:a abort of LUN 5: success after 1.90 s\n", line(event));
}

TEST_F(SessionEvent, json)
{
	struct event *event = add(SESSION_CONN_ERROR);
	struct json_object *object;

	event->code = 1020;
	object = event_json(event, &r_);
	EXPECT_STREQ("{\"schema\":1,\"type\":\"session\",\"time\":\"2026-11-29T12:00:01.123Z\","
		     "\"sid\":1,\"cid\":0,\"lun\":null,\"code\":1020,\"duration_ns\":null,"
		     "\"target\":\"iqn.x:a\",\"initiator\":\"iqn.host\","
		     "\"portal\":\"10.0.0.5:3260\",\"event\":\"connection_error\","
		     "\"code_name\":\"TCP_CONN_CLOSE\",\"outcome\":null}",
		     json_object_to_json_string_ext(
			     object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

TEST_F(SessionEvent, recording)
{
	std::string path = testing::TempDir() + "session_event." + std::to_string(getpid());
	struct recorder *recorder = nullptr;
	struct source *source = nullptr;
	struct reading back;
	struct event *event = add(SESSION_ABORT);

	event->lun = UINT64_MAX - 1;
	event->outcome = OUTCOME_FAILED;
	event->duration_ns = 1900000001;
	add(SESSION_UNBLOCKED);
	ASSERT_EQ(0, recorder_open(path.c_str(), &recorder));
	EXPECT_EQ(0, recorder_write(recorder, &r_));
	EXPECT_EQ(0, recorder_close(recorder));
	ASSERT_EQ(0, replay_open(path.c_str(), &source));
	reading_init(&back);
	EXPECT_EQ(0, source->ops->read(source, &back));
	ASSERT_EQ(2u, back.event_count);
	EXPECT_EQ(0, memcmp(back.events, r_.events, 2 * sizeof(struct event)));
	reading_deinit(&back);
	source_close(source);
	unlink(path.c_str());
}

TEST_F(SessionEvent, can_be_left_out)
{
	struct filter filter = {};

	EXPECT_TRUE(filter_match_event(&filter, &r_, add(SESSION_BLOCKED)));
	filter.no_session_events = true;
	EXPECT_FALSE(filter_match_event(&filter, &r_, add(SESSION_BLOCKED)));
	EXPECT_TRUE(filter_empty(&filter));
}

TEST_F(SessionEvent, from_the_kernel)
{
	struct turns turns = {&r_, false};
	struct turn t = {};
	struct timespec now;
	struct names *names = nullptr;

	clock_gettime(CLOCK_MONOTONIC, &now);
	t.time_ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
	t.lun = t.duration_ns = TURN_NONE;
	t.cid = t.code = t.outcome = TURN_NONE_32;
	t.sid = 1;
	t.turn = SESSION_BLOCKED;
	EXPECT_EQ(0, turns_take(&turns, &t, sizeof(t)));
	EXPECT_FALSE(turns.login);
	t.turn = SESSION_LOGIN;
	EXPECT_EQ(0, turns_take(&turns, &t, sizeof(t)));
	EXPECT_TRUE(turns.login);
	EXPECT_EQ(-EBADMSG, turns_take(&turns, &t, sizeof(t) - 1));

	ASSERT_EQ(0, names_open("/nowhere", &names));
	reading_session(&r_, 1)->cid = 3;
	turns_finish(&r_, names);
	names_close(names);
	ASSERT_EQ(2u, r_.event_count);
	clock_gettime(CLOCK_REALTIME, &now);
	EXPECT_NEAR(static_cast<double>(now.tv_sec),
		    static_cast<double>(r_.events[0].time_ns) / 1e9, 5);
	EXPECT_EQ(3u, r_.events[0].cid);
	EXPECT_EQ(EVENT_NONE, r_.events[0].lun);
	EXPECT_EQ(EVENT_NONE_32, r_.events[0].code);
}

} // namespace
