/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The loop: when intervals end, what the first one is, how a recording is played, what else wakes
 * it up. */
#include <cerrno>
#include <ctime>
#include <string>
#include <vector>
#include <gtest/gtest.h>
#include <unistd.h>
extern "C" {
#include "iscsi_bpf/loop.h"
#include "iscsi_bpf/pace.h"
}

namespace
{

const uint64_t SECOND = 1000000000;

uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * SECOND + ts.tv_nsec;
}

/* Gives readings of the lengths asked for; then it has ended. */
struct Readings {
	struct source source;
	std::vector<uint64_t> lengths;
	uint64_t number;
};

int read_one(struct source *source, struct reading *r)
{
	auto readings = reinterpret_cast<Readings *>(source);

	if (readings->number >= readings->lengths.size())
		return -ENODATA;
	r->length_ns = readings->lengths[readings->number];
	r->number = ++readings->number;
	return 0;
}

/* Writes down when intervals came and which they were. */
struct Taker {
	struct sink sink;
	std::vector<uint64_t> numbers, wall_ns, steady_ns;
	int inputs, ends;
	int end_fd; /* the end of the recording is written there */
};

int take(struct sink *sink, const struct reading *r, const struct records *)
{
	auto taker = reinterpret_cast<Taker *>(sink);

	taker->numbers.push_back(r->number);
	taker->wall_ns.push_back(now(CLOCK_REALTIME));
	taker->steady_ns.push_back(now(CLOCK_MONOTONIC));
	return 0;
}

int take_input(struct sink *sink)
{
	auto taker = reinterpret_cast<Taker *>(sink);
	char byte;

	EXPECT_EQ(1, read(sink->fd, &byte, 1));
	taker->inputs++;
	return byte == 'q' ? -ECANCELED : 0;
}

int take_end(struct sink *sink)
{
	auto taker = reinterpret_cast<Taker *>(sink);

	taker->ends++;
	return write(taker->end_fd, "q", 1) == 1 ? 0 : -EIO;
}

const struct source_ops ops = {read_one, nullptr, nullptr};

class Loop : public testing::Test
{
      protected:
	Readings readings_ = {{&ops, true, -1, 0}, {}, 0};
	Taker taker_ = {};
	struct options o_;
	struct loop_result result_;

	void SetUp() override
	{
		options_init(&o_);
		taker_.sink.interval = take;
	}

	void TearDown() override
	{
		options_deinit(&o_);
	}

	int run()
	{
		return loop_run(&readings_.source, &o_, &taker_.sink, &result_);
	}
};

/* Half a second into a second: what is not aligned comes half a second off. */
void wait_for_half()
{
	uint64_t wait = (2 * SECOND - now(CLOCK_REALTIME) % SECOND - SECOND / 2) % SECOND;

	usleep(wait / 1000);
}

TEST(Pace, ends_on_the_last_whole_second_within_an_interval)
{
	EXPECT_EQ(1001 * SECOND, pace_first_end(1000 * SECOND, SECOND));
	EXPECT_EQ(1001 * SECOND, pace_first_end(1000 * SECOND + 1, SECOND));
	EXPECT_EQ(1001 * SECOND, pace_first_end(1001 * SECOND - 1, SECOND));
	EXPECT_EQ(1005 * SECOND, pace_first_end(1000 * SECOND + 1, 5 * SECOND));
	EXPECT_EQ(1001 * SECOND, pace_first_end(1000 * SECOND, SECOND + SECOND / 2));
	EXPECT_EQ(1002 * SECOND, pace_first_end(1000 * SECOND + SECOND / 2, SECOND + SECOND / 2));
}

TEST(Pace, aligned_from_a_second_on_when_there_is_more_than_one)
{
	struct options o;

	options_init(&o);
	EXPECT_TRUE(pace_is_aligned(&o));
	o.count = 2;
	EXPECT_TRUE(pace_is_aligned(&o));
	o.count = 1;
	EXPECT_FALSE(pace_is_aligned(&o));
	o.count = 0;
	o.interval_ns = SECOND - 1;
	EXPECT_FALSE(pace_is_aligned(&o));
}

TEST_F(Loop, intervals_end_on_whole_seconds)
{
	readings_.lengths = {SECOND / 2, SECOND, SECOND};
	o_.count = 2;
	wait_for_half();
	EXPECT_EQ(0, run());
	ASSERT_EQ(2U, taker_.wall_ns.size());
	for (uint64_t at : taker_.wall_ns)
		EXPECT_LT(at % SECOND, 4 * SECOND / 10);
}

TEST_F(Loop, one_interval_is_a_whole_one)
{
	uint64_t begin;

	readings_.lengths = {SECOND};
	o_.count = 1;
	wait_for_half();
	begin = now(CLOCK_MONOTONIC);
	EXPECT_EQ(0, run());
	ASSERT_EQ(1U, taker_.steady_ns.size());
	EXPECT_GE(taker_.steady_ns[0] - begin, SECOND);
}

TEST_F(Loop, the_partial_one_is_skipped_and_does_not_count)
{
	readings_.lengths = {SECOND / 2, SECOND, SECOND};
	o_.skip_partial = true;
	o_.count = 2;
	o_.interval_ns = SECOND;
	EXPECT_EQ(0, run());
	EXPECT_EQ((std::vector<uint64_t>{2, 3}), taker_.numbers);
}

TEST_F(Loop, nothing_is_skipped_where_nothing_is_partial)
{
	readings_.lengths = {SECOND / 100, SECOND / 100};
	o_.skip_partial = true;
	o_.interval_ns = SECOND / 100;
	o_.count = 2;
	EXPECT_EQ(0, run());
	EXPECT_EQ((std::vector<uint64_t>{1, 2}), taker_.numbers);
}

TEST_F(Loop, a_recording_without_its_first_interval)
{
	readings_.source.live = false;
	readings_.lengths = {SECOND, SECOND, SECOND};
	o_.skip_partial = true;
	EXPECT_EQ(0, run());
	EXPECT_EQ((std::vector<uint64_t>{2, 3}), taker_.numbers);
}

TEST_F(Loop, a_recording_is_played_as_fast_as_it_was_recorded)
{
	readings_.source.live = false;
	readings_.lengths = {SECOND / 5, SECOND / 10, 0, SECOND / 10};
	taker_.sink.paced = true;
	uint64_t begin = now(CLOCK_MONOTONIC);
	EXPECT_EQ(0, run());
	ASSERT_EQ(4U, taker_.steady_ns.size());
	EXPECT_LT(taker_.steady_ns[0] - begin, SECOND / 5);
	EXPECT_GE(taker_.steady_ns[1] - taker_.steady_ns[0], SECOND / 5 - SECOND / 1000);
	EXPECT_GE(taker_.steady_ns[2] - taker_.steady_ns[1], SECOND / 10 - SECOND / 1000);
}

TEST_F(Loop, input_wakes_it_up_and_ends_it)
{
	int fds[2];

	ASSERT_EQ(0, pipe(fds));
	ASSERT_EQ(2, write(fds[1], "xq", 2));
	o_.interval_ns = 60 * SECOND;
	taker_.sink.input = take_input;
	taker_.sink.fd = fds[0];
	EXPECT_EQ(0, run());
	EXPECT_EQ(2, taker_.inputs);
	EXPECT_TRUE(taker_.numbers.empty());
	close(fds[0]);
	close(fds[1]);
}

TEST_F(Loop, after_the_end_of_a_recording_there_is_still_input)
{
	int fds[2];

	ASSERT_EQ(0, pipe(fds));
	readings_.source.live = false;
	readings_.lengths = {1, 1};
	taker_.sink.paced = true;
	taker_.sink.ended = take_end;
	taker_.end_fd = fds[1];
	taker_.sink.input = take_input;
	taker_.sink.fd = fds[0];
	EXPECT_EQ(0, run());
	EXPECT_EQ((std::vector<uint64_t>{1, 2}), taker_.numbers);
	EXPECT_EQ(1, taker_.ends);
	EXPECT_EQ(1, taker_.inputs);
	close(fds[0]);
	close(fds[1]);
}

} // namespace
