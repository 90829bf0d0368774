/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Readings: keys found again, one reading added to another. */
#include "common/hook_info.h"
#include "test/common_host.h"

namespace
{

TEST_F(Hists, merge)
{
	struct reading sum;
	struct sums_key read = make_key(2, 0, OP_READ), gone = make_key(1, 7, OP_OTHER);

	fill(false);
	reading_row(&r, &gone)->inflight = 1;
	reading_row(&r, &gone)->stages[STAGE_TARGET] = {1, 5};
	r.loss[LOSS_STALE] = 3;
	r.loss[LOSS_PROBE_MISSES] = LOSS_UNKNOWN;
	reading_session(&r, 1)->nops = {1, 10, 10, 3};
	reading_session(&r, 2)->nops = {2, 20, 15, 0};
	reading_init(&sum);
	ASSERT_EQ(0, reading_merge(&sum, &r));
	EXPECT_EQ(STAGES_ALL_KNOWN, sum.stages_known);
	EXPECT_EQ(1000u, sum.start_ns);

	/* The next interval: session 2 was renamed, nothing is in flight, one hook is gone. */
	struct reading next;
	reading_init(&next);
	next.number = 4;
	next.start_ns = 3000;
	next.length_ns = 2500;
	next.stages_known = 3;
	next.loss[LOSS_STALE] = 4;
	next.loss[LOSS_TORN] = LOSS_UNKNOWN;
	name_session(&next, 2, "iqn.renamed", "p");
	reading_session(&next, 2)->nops = {4, 40, 12, 1};
	count_commands(&next, read, 2, 0);
	count_hist(&next, read, 2);
	ASSERT_EQ(0, reading_merge(&sum, &next));

	EXPECT_EQ(4u, sum.number);
	EXPECT_EQ(1000u, sum.start_ns);
	EXPECT_EQ(4500u, sum.length_ns);
	EXPECT_EQ(3u, sum.stages_known);
	EXPECT_FALSE(sum.hists_by_lun);
	EXPECT_EQ(7u, sum.loss[LOSS_STALE]);
	EXPECT_EQ(LOSS_UNKNOWN, sum.loss[LOSS_PROBE_MISSES]);
	EXPECT_EQ(LOSS_UNKNOWN, sum.loss[LOSS_TORN]);
	EXPECT_EQ(0u, sum.loss[LOSS_CLAMPED]);
	EXPECT_EQ(4u, sum.row_count);
	EXPECT_EQ(42u, reading_row(&sum, &read)->sums.ios);
	EXPECT_EQ(0u, reading_row(&sum, &read)->inflight);
	EXPECT_EQ(0u, reading_row(&sum, &gone)->inflight);
	EXPECT_EQ(0u, reading_row(&sum, &gone)->stages[STAGE_TARGET].count);
	EXPECT_EQ(45000u, reading_row(&sum, &read)->sums.stage[STAGE_TOTAL].max_ns);
	EXPECT_EQ(80u, reading_row(&sum, &gone)->sums.ios);
	read.lun = LUN_ANY;
	EXPECT_EQ(42u, reading_hist(&sum, &read)->bucket[STAGE_TOTAL][lat_hist_bucket(45000)]);
	EXPECT_STREQ("iqn.renamed", reading_find_session(&sum, 2)->target);
	EXPECT_STREQ("iqn.one", reading_find_session(&sum, 1)->target);
	EXPECT_EQ(3u, reading_find_session(&sum, 1)->nops.lost);
	EXPECT_EQ(6u, reading_find_session(&sum, 2)->nops.count);
	EXPECT_EQ(60u, reading_find_session(&sum, 2)->nops.sum_ns);
	EXPECT_EQ(15u, reading_find_session(&sum, 2)->nops.max_ns);
	EXPECT_EQ(1u, reading_find_session(&sum, 2)->nops.lost);
	EXPECT_STREQ("sda", reading_find_lun(&sum, 1, 0)->disk);
	reading_deinit(&sum);
	reading_deinit(&next);
}

TEST(reading, keys_are_found_again)
{
	struct reading r;

	reading_init(&r);
	EXPECT_EQ(nullptr, reading_find_session(&r, 0));
	EXPECT_EQ(nullptr, reading_find_lun(&r, 0, 0));
	for (uint32_t sid = 0; sid < 100; sid++) {
		for (uint64_t lun = 0; lun < 10; lun++) {
			reading_lun(&r, sid, lun << 48)->disk[0] = 'x';
			for (int op = 0; op < OP_COUNT; op++)
				count_commands(&r, make_key(sid, lun << 48, op), 1, 0);
		}
		snprintf(reading_session(&r, sid)->portal, ISCSI_PORTAL_SIZE, "%u", sid);
	}
	ASSERT_EQ(3000u, r.row_count);
	ASSERT_EQ(1000u, r.lun_count);
	ASSERT_EQ(100u, r.session_count);
	for (uint32_t sid = 0; sid < 100; sid++) {
		struct sums_key key = make_key(sid, 9ULL << 48, OP_OTHER);

		EXPECT_EQ(1u, reading_row(&r, &key)->sums.ios);
		EXPECT_EQ(std::to_string(sid), reading_find_session(&r, sid)->portal);
		EXPECT_EQ('x', reading_find_lun(&r, sid, 9ULL << 48)->disk[0]);
	}
	EXPECT_EQ(3000u, r.row_count);
	EXPECT_EQ(nullptr, reading_find_session(&r, 100));
	EXPECT_EQ(nullptr, reading_find_lun(&r, 0, 1));

	struct records records;
	ASSERT_EQ(0, group_reading(&r, nullptr, BY_SID | BY_LUN | BY_OP, false, &records));
	EXPECT_EQ(3000u, records.count);
	for (size_t i = 0; i < records.count; i++)
		ASSERT_EQ(1u, records.records[i].count) << i;
	records_deinit(&records);
	reading_deinit(&r);
	reading_deinit(&r);
	reading_deinit(nullptr);
	records_deinit(nullptr);
}

/* Not how it is to be done, but it must not break anything. */
TEST(reading, arrays_filled_by_hand_are_indexed)
{
	struct reading r;
	struct sums_key key = make_key(2, 0, OP_READ), fresh = make_key(3, 0, OP_READ);

	reading_init(&r);
	r.rows = static_cast<struct reading_row *>(calloc(2, sizeof(*r.rows)));
	r.rows[0].key = make_key(1, 0, OP_READ);
	r.rows[1].key = key;
	r.row_count = 2;
	r.sessions = static_cast<struct session_name *>(calloc(1, sizeof(*r.sessions)));
	r.sessions[0].sid = 5;
	r.session_count = 1;
	EXPECT_NE(nullptr, reading_find_session(&r, 5));
	EXPECT_EQ(nullptr, reading_find_session(&r, 6));
	EXPECT_EQ(&r.rows[1], reading_row(&r, &key));
	EXPECT_EQ(2u, r.row_count);
	EXPECT_EQ(0u, reading_row(&r, &fresh)->sums.ios);
	EXPECT_EQ(3u, r.row_count);
	reading_deinit(&r);
}

/* What a missing hook would have told apart is unknown; the total never is. */
/* Rings are emptied one after the other: what came first is not always told first. */
TEST(reading, events_in_the_order_of_their_times)
{
	struct reading r;

	reading_init(&r);
	for (uint64_t time : {30, 10, 40, 20})
		reading_event(&r, EVENT_SESSION)->time_ns = time;
	reading_order_events(&r);
	for (uint32_t i = 0; i < 4; i++)
		EXPECT_EQ(10u * (i + 1), r.events[i].time_ns);
	reading_deinit(&r);
	reading_order_events(&r);
}

TEST(hook_info, stages_known)
{
	EXPECT_EQ(STAGES_ALL_KNOWN, hook_stages_known(0));
	for (int i = 0; i < HOOK_INFO_COUNT; i++) {
		uint32_t known = hook_stages_known(1U << i);

		EXPECT_EQ(i, hook_info_find(hook_infos[i].name));
		EXPECT_EQ(STAGES_ALL_KNOWN & ~hook_infos[i].stages, known) << hook_infos[i].name;
		EXPECT_TRUE(known >> STAGE_TOTAL & 1);
	}
	EXPECT_EQ(STAGES_ALL_KNOWN & ~(1U << STAGE_SEND | 1U << STAGE_DONE),
		  hook_stages_known(1U << hook_info_find("dequeue") | 1U << hook_info_find("complete")));
	EXPECT_EQ(-ENOENT, hook_info_find("none"));
}

} /* namespace */
