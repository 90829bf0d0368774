// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Events made from commands: what is asked for, which reading they go to; commands that are stuck.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <gtest/gtest.h>
#include "iscsi_bpf/command_event.h"
#include "iscsi_bpf/stuck.h"

namespace
{

const uint64_t MS = 1000000;

// READ(10) of 8 blocks at 2048: 1 ms in each stage but r2t and data_out, 50 in target.
command read_command()
{
	const __u8 cdb[] = {0x28, 0, 0, 0, 8, 0, 0, 0, 8, 0};
	const __u8 itt[] = {0x12, 0x34, 0x56, 0x78};
	command command = {};
	inflight &c = command.inflight;

	memcpy(command.detail.cdb, cdb, sizeof(cdb));
	memcpy(&command.detail.itt, itt, sizeof(itt));
	memcpy(&command.detail.cmdsn, itt, sizeof(itt));
	command.detail.cpu_submit = 1;
	command.detail.cpu_transmit = 2;
	command.detail.cpu_complete = 3;
	command.detail.sense = SENSE_NONE;
	c.sid = 7;
	c.lun = 5;
	c.op = OP_READ;
	c.opcode = 0x28;
	c.length = c.bytes = 4096;
	c.attempts = 3;
	c.refused = 1;
	c.pdus = 2;
	c.state = COMMAND_DEQUEUED;
	c.start_ns = 1000 * MS;
	c.first_ns = c.start_ns + MS;
	c.accepted_ns = c.first_ns + MS;
	c.dequeued_ns = c.accepted_ns + MS;
	c.sent_first_ns = c.sent_last_ns = c.dequeued_ns + MS;
	c.response_ns = c.sent_last_ns + 50 * MS;
	c.completed_ns = c.response_ns + MS;
	c.end_ns = c.completed_ns + MS;
	return command;
}

class Events : public testing::Test
{
      protected:
	reading resting_, next_;
	command_events events_ = {};

	void SetUp() override
	{
		reading_init(&resting_);
		reading_init(&next_);
		events_.resting = &resting_;
		events_.next = &next_;
		events_.wall_ns = 5;
	}

	void TearDown() override
	{
		reading_deinit(&resting_);
		reading_deinit(&next_);
	}

	int ended(command command)
	{
		return command_event_ended(&events_, &command, sizeof(command));
	}
};

class Stuck : public Events
{
      protected:
	std::filesystem::path root_;
	stuck stuck_ = {};
	slot slot_ = {};

	void SetUp() override
	{
		command c = read_command();

		Events::SetUp();
		root_ = testing::TempDir() + "stuck_check." + std::to_string(getpid());
		std::filesystem::create_directories(root_ / "class/iscsi_session/session7");
		state("LOGGED_IN");
		stuck_.older_ns = 100 * MS;
		root_text_ = root_.string();
		stuck_.root = root_text_.c_str();
		slot_.command = c.inflight;
		slot_.detail = c.detail;
		slot_.command.response_ns = slot_.command.completed_ns = slot_.command.end_ns = 0;
	}

	void TearDown() override
	{
		std::filesystem::remove_all(root_);
		stuck_deinit(&stuck_);
		Events::TearDown();
	}

	void state(const char *text)
	{
		std::ofstream(root_ / "class/iscsi_session/session7/state") << text << "\n";
	}

	// Walks by a command in each of the places, of that age; returns how many events there are.
	size_t walk(uint64_t age_ms, std::initializer_list<uint32_t> places = {3})
	{
		for (uint32_t place : places) {
			stuck_found found = {};

			found.sc = 0xffff0000 + place;
			found.now_ns = slot_.command.start_ns + age_ms * MS;
			found.wall_ns = 5;
			found.place = place;
			found.stage = stage_open(&slot_.command);
			found.command = &slot_.command;
			EXPECT_EQ(0, stuck_look(&stuck_, &found, &resting_));
		}
		stuck_walked(&stuck_);
		return resting_.event_count;
	}

      private:
	std::string root_text_;
};

} // namespace

TEST_F(Events, say_everything)
{
	ASSERT_EQ(0, ended(read_command()));
	ASSERT_EQ(1u, resting_.event_count);
	const event &e = resting_.events[0];

	EXPECT_EQ(EVENT_COMMAND, e.type);
	EXPECT_EQ(1056 * MS + 5, e.time_ns);
	EXPECT_EQ(7u, e.sid);
	EXPECT_EQ(5u, e.lun);
	EXPECT_EQ(0x28u, e.opcode);
	EXPECT_EQ(2048u, e.lba);
	EXPECT_EQ(8u, e.blocks);
	EXPECT_EQ(4096u, e.length);
	EXPECT_EQ(4096u, e.bytes);
	EXPECT_EQ(0u, e.result);
	EXPECT_EQ(EVENT_NONE_32, e.sense);
	EXPECT_EQ(3u, e.attempts);
	EXPECT_EQ(1u, e.refused);
	EXPECT_EQ(2u, e.pdus);
	EXPECT_EQ(0x12345678u, e.itt);
	EXPECT_EQ(0x12345678u, e.cmdsn);
	EXPECT_EQ(1u, e.cpu_submit);
	EXPECT_EQ(2u, e.cpu_transmit);
	EXPECT_EQ(3u, e.cpu_complete);
	EXPECT_EQ(STAGE_TARGET, e.stage);
	EXPECT_EQ(1 * MS, e.stage_ns[STAGE_BLOCK]);
	EXPECT_EQ(50 * MS, e.stage_ns[STAGE_TARGET]);
	EXPECT_EQ(56 * MS, e.stage_ns[STAGE_TOTAL]);
}

TEST_F(Events, block_may_be_unknown)
{
	command c = read_command();

	c.inflight.start_ns = 0;
	ASSERT_EQ(0, ended(c));
	EXPECT_EQ(EVENT_NONE, resting_.events[0].stage_ns[STAGE_BLOCK]);
	EXPECT_EQ(55 * MS, resting_.events[0].stage_ns[STAGE_TOTAL]);
}

TEST_F(Events, of_slow_commands_only)
{
	for (uint64_t slower_ns : {56 * MS, 56 * MS + 1, SLOWER_NONE}) {
		events_.slower_ns = slower_ns;
		ASSERT_EQ(0, ended(read_command()));
	}
	EXPECT_EQ(1u, resting_.event_count);
}

TEST_F(Events, stand_with_the_sums_of_their_generation)
{
	command c = read_command();

	events_.generation = 1;
	ASSERT_EQ(0, ended(c));
	c.detail.generation = 1;
	ASSERT_EQ(0, ended(c));
	ASSERT_EQ(0, ended(c));
	EXPECT_EQ(2u, resting_.event_count);
	EXPECT_EQ(1u, next_.event_count);
	EXPECT_EQ(-EBADMSG, command_event_ended(&events_, &c, sizeof(c) - 1));
}

TEST_F(Events, are_bounded_and_counted)
{
	ASSERT_EQ(0, ended(read_command()));
	for (size_t i = 1; i < COMMAND_EVENTS_MAX; i++)
		ASSERT_NE(nullptr, reading_event(&resting_, EVENT_COMMAND));
	ASSERT_EQ(0, ended(read_command()));
	ASSERT_EQ(0, ended(read_command()));
	EXPECT_EQ(COMMAND_EVENTS_MAX, resting_.event_count);
	EXPECT_EQ(2u, resting_.loss[LOSS_EVENT_FULL]);
}

TEST_F(Stuck, said_once_and_when_the_age_has_doubled)
{
	EXPECT_EQ(0u, walk(99));
	EXPECT_EQ(1u, walk(100));
	EXPECT_EQ(1u, walk(101));
	EXPECT_EQ(1u, walk(199));
	EXPECT_EQ(2u, walk(200));
	EXPECT_EQ(2u, walk(399));
	EXPECT_EQ(3u, walk(450));
	EXPECT_EQ(3u, walk(899));
	EXPECT_EQ(4u, walk(900));
	const event &e = resting_.events[3];

	EXPECT_EQ(EVENT_STUCK, e.type);
	EXPECT_EQ(900 * MS, e.age_ns);
	EXPECT_EQ(1900 * MS + 5, e.time_ns);
	EXPECT_EQ(STAGE_TARGET, e.stage);
	EXPECT_EQ(SESSION_LOGGED_IN, e.session_state);
	EXPECT_EQ(2048u, e.lba);
	EXPECT_EQ(0x12345678u, e.itt);
	EXPECT_EQ(EVENT_NONE_32, e.result);
}

TEST_F(Stuck, said_again_when_the_stage_changes)
{
	EXPECT_EQ(1u, walk(100));
	slot_.command.state = COMMAND_FAILED;
	state("FAILED");
	EXPECT_EQ(2u, walk(101));
	EXPECT_EQ(STAGE_BUSY, resting_.events[1].stage);
	EXPECT_EQ(SESSION_FAILED, resting_.events[1].session_state);
	EXPECT_EQ(2u, walk(102));
	std::filesystem::remove_all(root_);
	slot_.command.state = COMMAND_SUBMITTED;
	slot_.command.dequeued_ns = 0;
	slot_.command.sent_first_ns = 0;
	EXPECT_EQ(3u, walk(103));
	EXPECT_EQ(EVENT_NONE_32, resting_.events[2].session_state);
}

TEST_F(Stuck, each_has_a_memory_of_its_own)
{
	EXPECT_EQ(3u, walk(100, {1, 5, 9}));
	EXPECT_EQ(5u, walk(101, {0, 1, 4, 5, 9}));
	EXPECT_EQ(5u, walk(102, {0, 1, 4, 5, 9}));
	// 1 and 4 have ended; what is at 4 later is another.
	EXPECT_EQ(5u, walk(103, {0, 5, 9}));
	EXPECT_EQ(6u, walk(104, {0, 4, 5, 9}));
	slot_.command.first_ns++;
	EXPECT_EQ(7u, walk(105, {4}));
}

TEST_F(Stuck, off)
{
	stuck_.older_ns = 0;
	EXPECT_EQ(0u, walk(1000000));
}
