// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Events of commands as people and scripts get them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <json-c/json.h>
#include <gtest/gtest.h>
#include "common/group.h"
#include "common/options.h"
#include "output/printer.h"

namespace
{

const uint64_t MS = 1000000;
// 2026-11-29T12:00:00.250Z
const uint64_t TIME_NS = 1795953600250000000;

// A reading with one event, printed in both formats.
class OutputEvent : public testing::Test
{
      protected:
	struct reading r_;
	struct options o_;
	struct event *e_;

	void SetUp() override
	{
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("TZ", "CET-1", 1);
		reading_init(&r_);
		options_init(&o_);
		r_.number = 1;
		r_.start_ns = TIME_NS;
		r_.length_ns = 1000 * MS;
		strcpy(reading_session(&r_, 1)->target, "iqn.x");
		strcpy(reading_lun(&r_, 1, 2)->disk, "sda");
		e_ = reading_event(&r_, EVENT_COMMAND);
		fill();
	}

	void TearDown() override
	{
		reading_deinit(&r_);
		options_deinit(&o_);
	}

	// A good READ(10) of 8 blocks.
	void fill()
	{
		e_->time_ns = TIME_NS;
		e_->sid = 1;
		e_->cid = 0;
		e_->lun = 2;
		e_->op = OP_READ;
		e_->opcode = 0x28;
		e_->lba = 2048;
		e_->blocks = 8;
		e_->length = e_->bytes = 4096;
		e_->result = 0;
		e_->attempts = e_->pdus = 1;
		e_->refused = e_->r2ts = 0;
		e_->itt = 0x15000000;
		e_->cmdsn = 33;
		e_->stage = STAGE_TARGET;
		e_->age_ns = 5200 * MS;
		memset(e_->stage_ns, 0, sizeof(e_->stage_ns));
		e_->stage_ns[STAGE_QUEUE] = 1200000;
		e_->stage_ns[STAGE_SEND] = 600000;
		e_->stage_ns[STAGE_DONE] = 400000;
		e_->stage_ns[STAGE_TARGET] = 50100000;
		e_->stage_ns[STAGE_TOTAL] = 52300000;
	}

	std::string print(enum output_format format)
	{
		struct printer *printer = nullptr;
		struct records records = {};
		char *text = nullptr;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		o_.format = format;
		EXPECT_EQ(0, printer_open(&o_, out, &printer));
		EXPECT_EQ(0, group_reading(&r_, &o_.filter, o_.by, true, &records));
		EXPECT_EQ(0, printer_interval(printer, &r_, &records));
		records_deinit(&records);
		printer_close(printer);
		fclose(out);
		std::string first(text, strcspn(text, "\n"));
		free(text);
		return first;
	}

	std::string line()
	{
		return print(FORMAT_TABLE);
	}

	// A member of the JSON object, as JSON; "absent".
	std::string json(const char *name)
	{
		struct json_object *object = json_tokener_parse(print(FORMAT_JSON).c_str());
		struct json_object *value = nullptr;
		std::string text = "absent";

		if (json_object_object_get_ex(object, name, &value))
			text = json_object_to_json_string_ext(
				value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
		json_object_put(object);
		return text;
	}
};

} // namespace

TEST_F(OutputEvent, good_command)
{
	EXPECT_EQ(
		"13:00:00.250 sid 1 sda READ(10) lba 2048 8 blocks 52.3 ms: target 50.1 queue 1.20 "
		"send 0.600, good",
		line());
	for (auto [name, value] : {std::pair<const char *, const char *>{"type", "\"command\""},
				   {"time", "\"2026-11-29T12:00:00.250Z\""},
				   {"sid", "1"},
				   {"disk", "\"sda\""},
				   {"target", "\"iqn.x\""},
				   {"op", "\"read\""},
				   {"opcode", "40"},
				   {"opcode_name", "\"READ(10)\""},
				   {"service_action", "null"},
				   {"lba", "2048"},
				   {"itt", "352321536"},
				   {"cmdsn", "33"},
				   {"result", "0"},
				   {"status", "\"GOOD\""},
				   {"host", "null"},
				   {"sense", "null"},
				   {"sense_key", "null"},
				   {"sense_text", "null"},
				   {"longest", "\"target\""},
				   {"stages", "{\"block\":0,\"busy\":0,\"queue\":1200000,\"send\":"
					      "600000,\"r2t\":0,\"data_out\":0,\"target\":50100000,"
					      "\"data_in\":0,\"done\":400000,\"total\":52300000}"},
				   {"stage", "absent"},
				   {"age_ns", "absent"},
				   {"time_ns", "absent"}})
		EXPECT_EQ(value, json(name)) << name;
}

TEST_F(OutputEvent, command_with_sense_and_attempts)
{
	e_->result = 2;
	e_->sense = 0x031100;
	e_->attempts = 2;
	EXPECT_EQ(
		"13:00:00.250 sid 1 sda READ(10) lba 2048 8 blocks 52.3 ms: target 50.1 queue 1.20 "
		"send 0.600, CHECK CONDITION: MEDIUM ERROR, Unrecovered read error, 2 attempts",
		line());
	EXPECT_EQ("\"CHECK CONDITION\"", json("status"));
	EXPECT_EQ("200960", json("sense"));
	EXPECT_EQ("\"MEDIUM ERROR\"", json("sense_key"));
	EXPECT_EQ("\"Unrecovered read error\"", json("sense_text"));
}

TEST_F(OutputEvent, command_that_the_host_gave_up)
{
	e_->result = 0x010000;
	e_->stage_ns[STAGE_BLOCK] = EVENT_NONE;
	EXPECT_NE(std::string::npos,
		  line().find(" 52.3 ms: target 50.1 queue 1.20 send 0.600, DID_NO_CONNECT"));
	EXPECT_EQ("null", json("status"));
	EXPECT_EQ("\"DID_NO_CONNECT\"", json("host"));
	EXPECT_EQ(0u, json("stages").find("{\"block\":null,"));
}

TEST_F(OutputEvent, command_without_an_address)
{
	e_->opcode = 0xa3;
	e_->service_action = 0x0a;
	e_->lba = EVENT_NONE;
	e_->blocks = EVENT_NONE_32;
	EXPECT_NE(std::string::npos, line().find(" REPORT TARGET PORT GROUPS 4096 bytes 52.3 ms:"));
	e_->length = 0;
	e_->opcode = 0xc7;
	EXPECT_NE(std::string::npos, line().find(" sda 0xc7 52.3 ms:"));
	EXPECT_EQ("\"0xc7\"", json("opcode_name"));
	EXPECT_EQ("null", json("lba"));
}

TEST_F(OutputEvent, a_line_is_a_line)
{
	// The longest words there are.
	e_->sid = UINT32_MAX - 1;
	e_->opcode = 0xa3;
	e_->service_action = 0x0d;
	e_->result = 2;
	e_->sense = 0x0b040a;
	e_->lba = UINT64_MAX - 1;
	for (int i = 0; i < STAGE_TOTAL; i++)
		e_->stage_ns[i] = 12300000000000;
	e_->stage_ns[STAGE_TOTAL] = 9 * 12300000000000;
	EXPECT_GT(400u, line().size());
	EXPECT_NE(std::string::npos, line().find("asymmetric access state transition"));
}

TEST_F(OutputEvent, stuck_command)
{
	e_->type = EVENT_STUCK;
	e_->session_state = SESSION_LOGGED_IN;
	EXPECT_EQ("13:00:00.250 sid 1 sda READ(10) lba 2048 8 blocks in target for 5.20 s, attempt "
		  "1, "
		  "itt 0x15000000, session LOGGED_IN",
		  line());
	for (auto [name, value] : {std::pair<const char *, const char *>{"type", "\"stuck\""},
				   {"stage", "\"target\""},
				   {"session_state", "\"LOGGED_IN\""},
				   {"age_ns", "5200000000"},
				   {"attempts", "1"},
				   {"longest", "absent"},
				   {"stages", "absent"},
				   {"status", "absent"}})
		EXPECT_EQ(value, json(name)) << name;
	e_->session_state = EVENT_NONE_32;
	e_->itt = EVENT_NONE_32;
	e_->stage = STAGE_QUEUE;
	e_->age_ns = 850 * MS;
	EXPECT_EQ(
		"13:00:00.250 sid 1 sda READ(10) lba 2048 8 blocks in queue for 850 ms, attempt 1",
		line());
	EXPECT_EQ("null", json("session_state"));
}

TEST_F(OutputEvent, filters)
{
	o_.filter.slower_ns = 52300000;
	EXPECT_NE(std::string::npos, line().find("READ(10)"));
	o_.filter.slower_ns++;
	EXPECT_EQ(std::string::npos, line().find("READ(10)"));
	e_->type = EVENT_STUCK;
	EXPECT_NE(std::string::npos, line().find("READ(10)"));
	o_.filter.stuck_ns = 5200 * MS + 1;
	EXPECT_EQ(std::string::npos, line().find("READ(10)"));
	o_.filter.stuck_ns = 0;
	o_.filter.ops = 1 << OP_WRITE;
	EXPECT_EQ(std::string::npos, line().find("READ(10)"));
}
