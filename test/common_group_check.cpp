/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Grouping: which records come out, in which order, with which numbers. */
#include "test/common_host.h"

namespace
{

TEST(closure, what_determines_what)
{
	const uint32_t session = BY_SID | BY_CID | BY_TARGET | BY_INITIATOR | BY_PORTAL;
	const uint32_t disk = session | BY_LUN | BY_DISK | BY_MPATH;

	EXPECT_EQ(0u, group_closure(0));
	EXPECT_EQ(session, group_closure(BY_DEFAULT));
	EXPECT_EQ(session, group_closure(BY_SID));
	EXPECT_EQ(static_cast<uint32_t>(BY_CID), group_closure(BY_CID));
	EXPECT_EQ(static_cast<uint32_t>(BY_LUN), group_closure(BY_LUN));
	EXPECT_EQ(static_cast<uint32_t>(BY_MPATH), group_closure(BY_MPATH));
	EXPECT_EQ(disk, group_closure(BY_SID | BY_LUN));
	EXPECT_EQ(disk, group_closure(BY_DISK));
	EXPECT_EQ(disk | BY_OP, group_closure(BY_DISK | BY_OP));
	EXPECT_EQ(static_cast<uint32_t>(BY_TARGET | BY_SIZE), group_closure(BY_TARGET | BY_SIZE));
}

/* Sorted by name: iqn.one (1, 2), iqn.two (4), xxx... (3). */
TEST_F(Host, by_connection_with_idle_ones)
{
	EXPECT_EQ(Counts({110, 40, 0, 0}), counts(BY_DEFAULT));
	const struct iscsi_stats &one = records.records[0], &longest = records.records[3];

	EXPECT_EQ(1u, one.sid);
	EXPECT_EQ(0u, one.cid);
	EXPECT_STREQ("iqn.one", one.target_name);
	EXPECT_STREQ("iqn.host", one.initiator_name);
	EXPECT_STREQ("10.0.0.1:3260", one.portal);
	EXPECT_EQ(ISCSI_LUN_ANY, one.lun);
	EXPECT_STREQ("", one.disk);
	EXPECT_STREQ("", one.mpath);
	EXPECT_EQ(static_cast<uint32_t>(OP_COUNT), one.op);
	EXPECT_EQ(static_cast<uint32_t>(SIZE_ALL), one.size_class);
	EXPECT_EQ(group_closure(BY_DEFAULT), one.keys);
	EXPECT_EQ(static_cast<uint32_t>(BY_DEFAULT), one.keys_asked);
	EXPECT_EQ(3u, one.interval_no);
	EXPECT_EQ(1000u, one.start_ns);
	EXPECT_EQ(2000u, one.interval_ns);
	EXPECT_EQ(5u, records.records[1].inflight);
	EXPECT_EQ(4u, records.records[2].sid);
	EXPECT_EQ(3u, longest.sid);
	EXPECT_EQ(LONGEST, longest.target_name);
}

TEST_F(Host, counters_and_times)
{
	counts(BY_DEFAULT);
	const struct iscsi_stats &one = records.records[0];

	EXPECT_EQ(110u, one.good);
	EXPECT_EQ(110u, one.pdus);
	EXPECT_EQ(110u * 4096, one.total_bytes);
	EXPECT_EQ(10u, one.ops[OP_READ].ios);
	EXPECT_EQ(20u * 4096, one.ops[OP_WRITE].bytes);
	EXPECT_EQ(80u, one.ops[OP_OTHER].ios);
	EXPECT_EQ(110u * 6000, one.waiting);
	EXPECT_EQ(110u * 15000, one.sending);
	EXPECT_EQ(110u * 24000, one.complete);
	EXPECT_EQ(one.stages[STAGE_TOTAL].sum_ns, one.waiting + one.sending + one.complete);
	EXPECT_EQ(6000u, one.max_waiting);
	EXPECT_EQ(15000u, one.max_sending);
	EXPECT_EQ(24000u, one.max_complete);
	EXPECT_EQ(45000u, one.stages[STAGE_TOTAL].max_ns);
	EXPECT_EQ(110u * 9000, one.stages[STAGE_DONE].sum_ns);
	EXPECT_EQ(110u, one.stages[STAGE_DONE].count);
}

TEST_F(Host, stages_that_are_not_known)
{
	struct sums_key key = make_key(1, 0, OP_READ);

	reading_row(&r, &key)->sums.no_block = 4;
	r.stages_known = STAGES_ALL_KNOWN & ~(1U << STAGE_SEND);
	counts(BY_DEFAULT);
	const struct iscsi_stats &one = records.records[0];

	EXPECT_EQ(106u, one.stages[STAGE_BLOCK].count);
	EXPECT_TRUE(one.stages[STAGE_BLOCK].known);
	EXPECT_FALSE(one.stages[STAGE_SEND].known);
	EXPECT_EQ(0u, one.stages[STAGE_SEND].count);
	EXPECT_EQ(110u, one.stages[STAGE_R2T].count);
}

TEST_F(Host, hide_idle_keeps_what_is_in_flight)
{
	struct sums_key key = make_key(4, 0, OP_READ);

	EXPECT_EQ(Counts({110, 40}), counts(BY_DEFAULT, true));
	reading_row(&r, &key)->inflight = 1;
	EXPECT_EQ(Counts({110, 40, 0}), counts(BY_DEFAULT, true));
	EXPECT_EQ(1u, records.records[2].inflight);
	reading_row(&r, &key)->inflight = 0;
	EXPECT_EQ(Counts({110, 40}), counts(BY_DEFAULT, true));
	reading_row(&r, &key)->sums.refused = 1;
	EXPECT_EQ(Counts({110, 40, 0}), counts(BY_DEFAULT, true));
}

TEST_F(Host, by_names)
{
	EXPECT_EQ(Counts({150, 0, 0}), counts(BY_TARGET));
	EXPECT_EQ(ISCSI_SID_ANY, records.records[0].sid);
	EXPECT_EQ(ISCSI_CID_ANY, records.records[0].cid);
	EXPECT_STREQ("", records.records[0].portal);
	EXPECT_EQ(Counts({150}), counts(BY_INITIATOR));
	EXPECT_EQ(Counts({110, 0, 0, 40}), counts(BY_PORTAL));
	EXPECT_STREQ("[fd00::1]:3260", records.records[3].portal);
	EXPECT_EQ(Counts({150}), counts(0));
}

TEST_F(Host, by_disk_and_map)
{
	EXPECT_EQ(Counts({30, 80, 40, 0}), counts(BY_DISK));
	EXPECT_STREQ("sda", records.records[0].disk);
	EXPECT_STREQ("mpatha", records.records[0].mpath);
	EXPECT_STREQ("", records.records[1].disk);
	EXPECT_EQ(7u, records.records[1].lun);
	EXPECT_EQ(UINT64_MAX - 1, records.records[3].lun);
	EXPECT_EQ(Counts({80, 70}), counts(BY_MPATH));
	EXPECT_STREQ("", records.records[0].mpath);
	EXPECT_STREQ("mpatha", records.records[1].mpath);
	EXPECT_EQ(Counts({70, 80, 0}), counts(BY_LUN));
}

TEST_F(Host, by_operation)
{
	EXPECT_EQ(Counts({50, 20, 80}), counts(BY_OP));
	EXPECT_EQ(Counts({10, 20, 80, 40, 0, 0, 0, 0, 0, 0, 0, 0}), counts(BY_DEFAULT | BY_OP));
	EXPECT_EQ(12u, counts(BY_DISK | BY_OP).size());
	f.ops = 1 << OP_WRITE;
	EXPECT_EQ(Counts({20, 0, 0, 0}), counts(BY_DEFAULT | BY_OP));
	EXPECT_EQ(static_cast<uint32_t>(OP_WRITE), records.records[3].op);
}

TEST_F(Host, by_size)
{
	struct reading split;

	/* This reading does not tell sizes apart: no zeros for classes nobody looked at. */
	EXPECT_EQ(Counts({150}), counts(BY_SIZE));
	EXPECT_EQ(static_cast<uint32_t>(SIZE_ALL), records.records[0].size_class);
	reading_init(&split);
	name_session(&split, 1, "iqn.one", "p");
	count_commands(&split, make_key(1, 0, OP_READ, SIZE_1M), 9, 0);
	records_deinit(&records);
	ASSERT_EQ(0, group_reading(&split, &f, BY_SIZE, false, &records));
	ASSERT_EQ(6u, records.count);
	EXPECT_EQ(static_cast<uint32_t>(SIZE_4K), records.records[0].size_class);
	EXPECT_EQ(9u, records.records[4].count);
	EXPECT_EQ(static_cast<uint32_t>(SIZE_MORE), records.records[5].size_class);
	reading_deinit(&split);
}

TEST_F(Host, commands_without_names)
{
	count_commands(&r, make_key(9, 5, OP_READ), 1, 0);
	EXPECT_EQ(Counts({1, 110, 40, 0, 0}), counts(BY_DEFAULT));
	EXPECT_EQ(9u, records.records[0].sid);
	EXPECT_STREQ("", records.records[0].target_name);
	EXPECT_EQ(Counts({1, 30, 80, 40, 0}), counts(BY_DISK));
	EXPECT_EQ(5u, records.records[0].lun);
}

TEST_F(Hists, not_by_lun_serve_what_does_not_need_the_lun)
{
	fill(false);
	EXPECT_EQ(110, in_hist(BY_DEFAULT));
	EXPECT_EQ(150, in_hist(BY_TARGET));
	EXPECT_EQ(50, in_hist(BY_OP));
	EXPECT_EQ(-1, in_hist(BY_LUN));
	EXPECT_EQ(-1, in_hist(BY_DISK));
	EXPECT_EQ(-1, in_hist(BY_MPATH));
	f.ops = 1 << OP_WRITE;
	EXPECT_EQ(20, in_hist(BY_DEFAULT));
	id_list_add(&f.luns, 0);
	EXPECT_EQ(-1, in_hist(BY_DEFAULT));
	refilter([&] { name_list_add(&f.disks, "sda"); });
	EXPECT_EQ(-1, in_hist(BY_DEFAULT));
}

TEST_F(Hists, by_lun_serve_everything)
{
	fill(true);
	EXPECT_EQ(110, in_hist(BY_DEFAULT));
	EXPECT_EQ(70, in_hist(BY_LUN));
	EXPECT_EQ(30, in_hist(BY_DISK));
	id_list_add(&f.luns, 7);
	EXPECT_EQ(80, in_hist(BY_DEFAULT));
	EXPECT_EQ(80, in_hist(BY_SID | BY_LUN));
}

TEST_F(Hists, total)
{
	struct iscsi_stats total;
	uint64_t p50_ns = 0;

	fill(false);
	counts(BY_DEFAULT);
	ASSERT_EQ(0, records_total(&records, &total));
	EXPECT_EQ(150u, total.count);
	EXPECT_EQ(150u * 4096, total.total_bytes);
	EXPECT_EQ(50u, total.ops[OP_READ].ios);
	EXPECT_EQ(5u, total.inflight);
	EXPECT_EQ(UINT64_MAX, iscsi_oldest_ns(&total));
	EXPECT_EQ(150u * 45000, total.stages[STAGE_TOTAL].sum_ns);
	EXPECT_EQ(45000u, total.stages[STAGE_TOTAL].max_ns);
	EXPECT_TRUE(total.stages[STAGE_SEND].known);
	EXPECT_EQ(150u, total.stages[STAGE_SEND].count);
	EXPECT_EQ(0u, total.keys);
	EXPECT_EQ(ISCSI_SID_ANY, total.sid);
	EXPECT_EQ(ISCSI_LUN_ANY, total.lun);
	EXPECT_STREQ("", total.target_name);
	EXPECT_EQ(3u, total.interval_no);
	EXPECT_EQ(2000u, total.interval_ns);
	EXPECT_EQ(0, iscsi_percentile(&total, STAGE_TOTAL, 50, &p50_ns));
	EXPECT_NEAR(45000, static_cast<double>(p50_ns), 45000 * 0.0625);
	free(total.hists);
}

TEST_F(Hists, total_without_all_histograms_has_none)
{
	struct iscsi_stats total;

	count_hist(&r, make_key(1, 0, OP_READ), 10);
	counts(BY_DEFAULT);
	ASSERT_NE(nullptr, records.records[0].hists);
	ASSERT_EQ(0, records_total(&records, &total));
	EXPECT_EQ(nullptr, total.hists);
	records_deinit(&records);
	ASSERT_EQ(0, records_total(&records, &total));
	EXPECT_EQ(0u, total.count);
	EXPECT_FALSE(total.stages[STAGE_TOTAL].known);
}

} /* namespace */
