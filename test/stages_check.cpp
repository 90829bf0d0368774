// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A command's stamps cut into stages: every stage, missing stamps, disorder, sums; what no live
// kernel can be made to show.
#include <gtest/gtest.h>
#include <random>
#include "iscsi_bpf/sums_add.h"

namespace
{

// A write with two R2Ts; each stage has a length of its own, so that a mixed-up one is seen.
inflight good_write()
{
	inflight c = {};

	c.start_ns = 1000000;
	c.first_ns = c.start_ns + 1;
	c.accepted_ns = c.first_ns + 10;
	c.dequeued_ns = c.accepted_ns + 100;
	c.sent_first_ns = c.dequeued_ns + 1000;
	c.r2t_ns = 10000;
	c.data_out_ns = 20000;
	c.sent_last_ns = c.sent_first_ns + c.r2t_ns + c.data_out_ns;
	c.response_ns = c.sent_last_ns + 300000;
	c.completed_ns = c.response_ns + 4000000;
	c.end_ns = c.completed_ns + 50000000;
	c.r2ts = c.r2ts_answered = 2;
	c.attempts = c.pdus = 1;
	c.bytes = 4096;
	return c;
}

stage_times cut(const inflight &c)
{
	stage_times t;

	stages_cut(&c, &t);
	return t;
}

// Stages in their order, total last.
void expect_stages(const stage_times &t, std::initializer_list<__u64> ns)
{
	int stage = 0;

	ASSERT_EQ(ns.size(), (size_t)STAGE_COUNT);
	for (__u64 expected : ns) {
		EXPECT_EQ(t.ns[stage], expected) << "stage " << stage;
		stage++;
	}
	EXPECT_TRUE(stages_add_up(&t));
}

} // namespace

TEST(stages, each_has_its_time)
{
	stage_times t = cut(good_write());

	expect_stages(t, {1, 10, 100, 1000, 10000, 20000, 300000, 4000000, 50000000, 54331111});
	EXPECT_EQ(t.clamped, 0U);
}

TEST(stages, unknown_start_leaves_block_out)
{
	inflight c = good_write();

	c.start_ns = 0;
	expect_stages(cut(c),
		      {0, 10, 100, 1000, 10000, 20000, 300000, 4000000, 50000000, 54331110});
	EXPECT_EQ(cut(c).clamped, 0U);
}

// The time of a stamp that never came belongs to the stage that was open.
TEST(stages, missing_dequeue)
{
	inflight c = good_write();

	c.dequeued_ns = 0;
	expect_stages(cut(c), {1, 10, 1100, 0, 10000, 20000, 300000, 4000000, 50000000, 54331111});
	EXPECT_EQ(cut(c).clamped, 0U);
}

TEST(stages, missing_sent)
{
	inflight c = good_write();

	c.sent_first_ns = c.sent_last_ns = c.r2t_ns = c.data_out_ns = 0;
	expect_stages(cut(c), {1, 10, 100, 331000, 0, 0, 0, 4000000, 50000000, 54331111});
}

TEST(stages, missing_response)
{
	inflight c = good_write();

	c.response_ns = 0;
	expect_stages(cut(c), {1, 10, 100, 1000, 10000, 20000, 4300000, 0, 50000000, 54331111});
}

TEST(stages, missing_completion)
{
	inflight c = good_write();

	c.completed_ns = 0;
	expect_stages(cut(c), {1, 10, 100, 1000, 10000, 20000, 300000, 54000000, 0, 54331111});
}

// Hung before it was dequeued, then aborted: all is queue. Hung at the target: all is target.
TEST(stages, what_never_went_further)
{
	inflight c = good_write();

	c.sent_first_ns = c.sent_last_ns = c.r2t_ns = c.data_out_ns = c.response_ns =
		c.completed_ns = 0;
	expect_stages(cut(c), {1, 10, 100, 54331000, 0, 0, 0, 0, 0, 54331111});
	c.dequeued_ns = 0;
	expect_stages(cut(c), {1, 10, 54331100, 0, 0, 0, 0, 0, 0, 54331111});
	c = good_write();
	c.response_ns = c.completed_ns = 0;
	expect_stages(cut(c), {1, 10, 100, 1000, 10000, 20000, 54300000, 0, 0, 54331111});
}

// Stamps out of order are pulled back to their successor, and each is counted.
TEST(stages, clamped)
{
	inflight c = good_write();

	c.completed_ns = c.end_ns + 7;
	EXPECT_EQ(cut(c).clamped, 1U);
	expect_stages(cut(c), {1, 10, 100, 1000, 10000, 20000, 300000, 54000000, 0, 54331111});
	c = good_write();
	c.response_ns = c.completed_ns + 7;
	EXPECT_EQ(cut(c).clamped, 1U);
	expect_stages(cut(c), {1, 10, 100, 1000, 10000, 20000, 4300000, 0, 50000000, 54331111});
	c = good_write();
	c.dequeued_ns = c.sent_first_ns + 7;
	EXPECT_EQ(cut(c).clamped, 1U);
	expect_stages(cut(c), {1, 10, 1100, 0, 10000, 20000, 300000, 4000000, 50000000, 54331111});
	c = good_write();
	c.first_ns = c.accepted_ns + 7;
	EXPECT_EQ(cut(c).clamped, 1U);
	expect_stages(cut(c),
		      {11, 0, 100, 1000, 10000, 20000, 300000, 4000000, 50000000, 54331111});
	c = good_write();
	c.accepted_ns = c.dequeued_ns + 7;
	EXPECT_EQ(cut(c).clamped, 1U);
	expect_stages(cut(c), {1, 110, 0, 1000, 10000, 20000, 300000, 4000000, 50000000, 54331111});
	c = good_write();
	c.start_ns = c.first_ns + 7;
	EXPECT_EQ(cut(c).clamped, 1U);
	expect_stages(cut(c),
		      {0, 10, 100, 1000, 10000, 20000, 300000, 4000000, 50000000, 54331110});
}

TEST(stages, several_clamped)
{
	inflight c = good_write();

	c.start_ns = c.first_ns = c.accepted_ns = c.dequeued_ns = c.response_ns = c.completed_ns =
		c.end_ns + 1;
	EXPECT_EQ(cut(c).clamped, 6U);
	stage_times t = cut(c);
	EXPECT_TRUE(stages_add_up(&t));
}

// The answer came while the call that sent the last data had not returned: no disorder.
TEST(stages, response_within_the_send)
{
	inflight c = good_write();

	c.response_ns = c.sent_last_ns - 5000;
	EXPECT_EQ(cut(c).clamped, 0U);
	expect_stages(cut(c), {1, 10, 100, 1000, 10000, 15000, 0, 4305000, 50000000, 54331111});
	c.response_ns = c.sent_last_ns - 25000;
	expect_stages(cut(c), {1, 10, 100, 1000, 5000, 0, 0, 4325000, 50000000, 54331111});
	c.response_ns = c.sent_first_ns - 400;
	expect_stages(cut(c), {1, 10, 100, 600, 0, 0, 0, 4330400, 50000000, 54331111});
	EXPECT_EQ(cut(c).clamped, 0U);
}

// Whatever stamps there are, in whatever order: nothing is lost or invented.
TEST(stages, always_add_up)
{
	std::mt19937_64 random(1009);
	auto stamp = [&] { return random() % 8 ? random() % 1000 + 1 : 0; };

	for (int i = 0; i < 200000; i++) {
		inflight c = {};
		stage_times t;

		c.start_ns = stamp();
		c.first_ns = random() % 1000 + 1;
		c.accepted_ns = random() % 1000 + 1;
		c.dequeued_ns = stamp();
		c.sent_first_ns = stamp();
		c.r2t_ns = c.sent_first_ns ? random() % 300 : 0;
		c.data_out_ns = c.sent_first_ns ? random() % 300 : 0;
		c.sent_last_ns = c.sent_first_ns + c.r2t_ns + c.data_out_ns;
		c.response_ns = stamp();
		c.completed_ns = stamp();
		c.end_ns = random() % 1000 + 1;
		stages_cut(&c, &t);
		ASSERT_TRUE(stages_add_up(&t)) << i;
		for (int stage = 0; stage < STAGE_COUNT; stage++)
			ASSERT_LE(t.ns[stage], 1000U) << i;
	}
}

// The stage a command in flight is in, one event of its life after the other.
TEST(stages, open)
{
	inflight c = {};

	c.first_ns = c.accepted_ns = 1;
	c.attempts = 1;
	EXPECT_EQ(stage_open(&c), STAGE_QUEUE);
	c.state = COMMAND_REFUSED;
	EXPECT_EQ(stage_open(&c), STAGE_BUSY);
	c.state = COMMAND_DEQUEUED;
	c.dequeued_ns = 2;
	EXPECT_EQ(stage_open(&c), STAGE_SEND);
	c.sent_first_ns = c.sent_last_ns = 3;
	EXPECT_EQ(stage_open(&c), STAGE_TARGET);
	c.r2t_due = 1;
	EXPECT_EQ(stage_open(&c), STAGE_R2T);
	c.r2ts = 1;
	EXPECT_EQ(stage_open(&c), STAGE_DATA_OUT);
	c.r2ts_answered = 1;
	EXPECT_EQ(stage_open(&c), STAGE_R2T);
	c.r2t_due = 0;
	EXPECT_EQ(stage_open(&c), STAGE_TARGET);
	c.r2ts = 3;
	EXPECT_EQ(stage_open(&c), STAGE_DATA_OUT);
	c.response_ns = 4;
	EXPECT_EQ(stage_open(&c), STAGE_DATA_IN);
	c.completed_ns = 5;
	EXPECT_EQ(stage_open(&c), STAGE_DONE);
	c.end_ns = 6;
	c.state = COMMAND_FAILED;
	EXPECT_EQ(stage_open(&c), STAGE_BUSY);
}

// An R2T may come while the first send has not returned; a hook that skipped hides its stage only.
TEST(stages, open_with_stamps_missing)
{
	inflight c = {};

	c.state = COMMAND_DEQUEUED;
	c.dequeued_ns = 2;
	c.r2ts = 1;
	EXPECT_EQ(stage_open(&c), STAGE_DATA_OUT);
	c = {};
	c.response_ns = 4;
	EXPECT_EQ(stage_open(&c), STAGE_DATA_IN);
	c = {};
	c.completed_ns = 5;
	EXPECT_EQ(stage_open(&c), STAGE_DONE);
}

// A command that fails before any response leaves the time since its last send where it was.
TEST(stages, failed_while_waiting)
{
	inflight c = good_write();
	stage_times t;

	c.response_ns = 0;
	c.completed_ns = c.sent_last_ns + 7000000;
	c.end_ns = c.completed_ns + 1;
	stages_cut_failed(&c, &t);
	expect_stages(t, {1, 10, 100, 1000, 10000, 20000, 7000000, 0, 1, 7031112});
	// More data was to be asked for.
	c.r2t_due = 1;
	stages_cut_failed(&c, &t);
	expect_stages(t, {1, 10, 100, 1000, 7010000, 20000, 0, 0, 1, 7031112});
	// It was, 4 ms later.
	c.r2ts = 3;
	c.r2t_at_ns = c.sent_last_ns + 4000000;
	stages_cut_failed(&c, &t);
	expect_stages(t, {1, 10, 100, 1000, 4010000, 3020000, 0, 0, 1, 7031112});
	// While the send before it went on.
	c.r2t_at_ns = c.sent_last_ns - 1;
	stages_cut_failed(&c, &t);
	expect_stages(t, {1, 10, 100, 1000, 10000, 7020000, 0, 0, 1, 7031112});
	// When it was over already.
	c.r2t_at_ns = c.end_ns + 1;
	stages_cut_failed(&c, &t);
	expect_stages(t, {1, 10, 100, 1000, 7010000, 20000, 0, 0, 1, 7031112});
	// A response is the target's, however early it comes.
	c.response_ns = c.completed_ns - 1;
	stages_cut_failed(&c, &t);
	expect_stages(t, {1, 10, 100, 1000, 10000, 20000, 6999999, 1, 1, 7031112});
}

TEST(stages, mismatch_is_seen)
{
	for (int stage = 0; stage < STAGE_COUNT; stage++) {
		stage_times t = cut(good_write());

		t.ns[stage]++;
		EXPECT_FALSE(stages_add_up(&t)) << stage;
	}
	/* What makes one: times in R2T states that are not the time between the sends. */
	inflight c = good_write();

	c.r2t_ns++;
	stage_times t = cut(c);
	EXPECT_FALSE(stages_add_up(&t));
}

TEST(stages, missing_stamps)
{
	const __u32 all = (1U << HOOK_COUNT) - 1;
	inflight c = good_write();

	EXPECT_EQ(stages_missing(&c, all), 0U);
	c.dequeued_ns = 0;
	EXPECT_EQ(stages_missing(&c, all), 1U << HOOK_DEQUEUE);
	c.sent_last_ns = 0;
	EXPECT_EQ(stages_missing(&c, all), 1U << HOOK_DEQUEUE | 1U << HOOK_SENT);
	c.response_ns = c.completed_ns = 0;
	EXPECT_EQ(stages_missing(&c, all),
		  1U << HOOK_DEQUEUE | 1U << HOOK_SENT | 1U << HOOK_RESPONSE | 1U << HOOK_COMPLETE);
	EXPECT_EQ(stages_missing(&c, all & ~(1U << HOOK_RESPONSE)),
		  1U << HOOK_DEQUEUE | 1U << HOOK_SENT | 1U << HOOK_COMPLETE);
	EXPECT_EQ(stages_missing(&c, 0), 0U);
	/* One that failed may have stopped anywhere. */
	c.result = 2;
	EXPECT_EQ(stages_missing(&c, all), 0U);
}

TEST(sums, times_and_maxima)
{
	stage_times t = cut(good_write()), twice = t;
	sums s = {};

	for (__u64 &ns : twice.ns)
		ns *= 2;
	sums_add_times(&s, &twice);
	sums_add_times(&s, &t);
	for (int stage = 0; stage < STAGE_COUNT; stage++) {
		EXPECT_EQ(s.stage[stage].sum_ns, 3 * t.ns[stage]);
		EXPECT_EQ(s.stage[stage].max_ns, 2 * t.ns[stage]);
	}
	EXPECT_EQ(s.phase_max_ns[PHASE_WAITING], 222U);
	EXPECT_EQ(s.phase_max_ns[PHASE_SENDING], 62000U);
	EXPECT_EQ(s.phase_max_ns[PHASE_COMPLETE], 108600000U);
}

TEST(sums, counts)
{
	inflight c = good_write();
	sums s = {};

	c.pdus = 2;
	c.refused = 3;
	c.no_task = 4;
	c.retries = 5;
	c.aborted = 6;
	c.disrupted = 7;
	sums_add_counts(&s, &c);
	sums_add_counts(&s, &c);
	EXPECT_EQ(s.ios, 2U);
	EXPECT_EQ(s.pdus, 4U);
	EXPECT_EQ(s.bytes, 8192U);
	EXPECT_EQ(s.refused, 6U);
	EXPECT_EQ(s.refused_window, 6U);
	EXPECT_EQ(s.refused_no_task, 0U);
	EXPECT_EQ(s.no_task, 8U);
	EXPECT_EQ(s.retries, 10U);
	EXPECT_EQ(s.aborted, 12U);
	EXPECT_EQ(s.disrupted, 14U);
	EXPECT_EQ(s.r2ts, 4U);
	EXPECT_EQ(s.no_block, 0U);
}

// Each refusal has one reason; what is neither of the other two is the window.
TEST(sums, refusals_by_reason)
{
	inflight c = good_write();
	sums s = {};

	c.refused = 100000;
	c.refused_no_task = 700;
	c.refused_other = 11;
	sums_add_counts(&s, &c);
	EXPECT_EQ(s.refused, 100000U);
	EXPECT_EQ(s.refused_no_task, 700U);
	EXPECT_EQ(s.refused_window, 99289U);
}

// Host byte before SCSI status; each command has one fate.
TEST(sums, fates)
{
	inflight c = good_write();
	sums s = {};

	for (__u32 result : {0U, 0x02U, 0x18U, 0x00010000U, 0x000e0002U}) {
		c.result = result;
		c.start_ns = 0;
		sums_add_counts(&s, &c);
	}
	EXPECT_EQ(s.ios, 5U);
	EXPECT_EQ(s.good, 1U);
	EXPECT_EQ(s.status_errors, 2U);
	EXPECT_EQ(s.host_errors, 2U);
	EXPECT_EQ(s.no_block, 5U);
}
