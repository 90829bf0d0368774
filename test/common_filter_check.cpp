/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Filters: what each kind selects, alone and together, and what it names that is absent. */
#include "test/common_host.h"

namespace
{

TEST_F(Host, filter_each_kind)
{
	refilter([&] { name_list_add(&f.targets, "iqn.one"); });
	EXPECT_EQ(Counts({110, 40}), counts(BY_DEFAULT));
	refilter([&] { name_list_add(&f.targets, "iqn.*"); });
	EXPECT_EQ(Counts({110, 40, 0}), counts(BY_DEFAULT));
	refilter([&] { name_list_add(&f.targets, LONGEST.c_str()); });
	EXPECT_EQ(Counts({0}), counts(BY_DEFAULT));
	refilter([&] { name_list_add(&f.targets, "iqn.on"); });
	EXPECT_EQ(Counts({}), counts(BY_DEFAULT));
	refilter([&] { name_list_add(&f.initiators, "iqn.h?st"); });
	EXPECT_EQ(150u, sum());
	refilter([&] { id_list_add(&f.sids, 2); });
	EXPECT_EQ(Counts({40}), counts(BY_DEFAULT));
	refilter([&] { id_list_add(&f.cids, 1); });
	EXPECT_EQ(Counts({}), counts(BY_DEFAULT));
	refilter([&] { id_list_add(&f.luns, 7); });
	EXPECT_EQ(Counts({80}), counts(BY_DEFAULT));
	refilter([&] { id_list_add(&f.luns, UINT64_MAX - 1); });
	EXPECT_EQ(Counts({0}), counts(BY_DEFAULT));
	refilter([&] { f.ops = 1 << OP_READ; });
	EXPECT_EQ(Counts({10, 40, 0, 0}), counts(BY_DEFAULT));
}

TEST_F(Host, filter_disk_by_each_of_its_names)
{
	refilter([&] { name_list_add(&f.disks, "sda"); });
	EXPECT_EQ(Counts({30}), counts(BY_DEFAULT));
	refilter([&] { name_list_add(&f.disks, "8:b"); });
	EXPECT_EQ(Counts({40}), counts(BY_DEFAULT));
	refilter([&] { name_list_add(&f.disks, "dm-0"); });
	EXPECT_EQ(Counts({30, 40}), counts(BY_DEFAULT));
	refilter([&] { name_list_add(&f.disks, "mpatha"); });
	EXPECT_EQ(Counts({30, 40}), counts(BY_DISK));
	refilter([&] { name_list_add(&f.disks, "sdz"); });
	EXPECT_EQ(Counts({}), counts(BY_DEFAULT));
}

TEST_F(Host, filter_kinds_and_values)
{
	refilter([&] {
		id_list_add(&f.sids, 1);
		id_list_add(&f.sids, 3);
	});
	EXPECT_EQ(Counts({110, 0}), counts(BY_DEFAULT));
	f.ops = 1 << OP_READ | 1 << OP_WRITE;
	EXPECT_EQ(Counts({30, 0}), counts(BY_DEFAULT));
	id_list_add(&f.luns, 0);
	EXPECT_EQ(Counts({30}), counts(BY_DEFAULT));
	name_list_add(&f.targets, "iqn.two");
	EXPECT_EQ(Counts({}), counts(BY_DEFAULT));
}

/* A filter decides before the grouping forgets what it looks at. */
TEST_F(Host, filter_by_what_the_group_leaves_open)
{
	id_list_add(&f.luns, 0);
	EXPECT_EQ(Counts({70}), counts(BY_TARGET));
	EXPECT_EQ(ISCSI_LUN_ANY, records.records[0].lun);
}

TEST(names, lists)
{
	struct name_list list = {};
	struct filter f = {};

	EXPECT_TRUE(name_list_match(&list, "anything"));
	EXPECT_TRUE(name_list_match(&list, ""));
	f.targets = list;
	EXPECT_TRUE(filter_empty(&f));
	ASSERT_EQ(0, name_list_add(&f.targets, "a[b]"));
	EXPECT_TRUE(name_list_match(&f.targets, "a[b]"));
	EXPECT_TRUE(name_list_match(&f.targets, "ab"));
	EXPECT_FALSE(name_list_match(&f.targets, "ac"));
	EXPECT_FALSE(name_list_match(&f.targets, ""));
	ASSERT_EQ(0, name_list_add(&f.targets, "*"));
	EXPECT_TRUE(name_list_match(&f.targets, ""));
	EXPECT_TRUE(name_list_match(&f.targets, "a\x1b\n"));
	EXPECT_FALSE(filter_empty(&f));
	filter_deinit(&f);
	filter_deinit(&f);
	filter_deinit(nullptr);
	EXPECT_TRUE(filter_empty(&f));
	EXPECT_TRUE(filter_empty(nullptr));
}

TEST_F(Host, absent_values_are_named)
{
	std::vector<std::string> absent;
	auto say = [](void *arg, const char *what) {
		static_cast<std::vector<std::string> *>(arg)->push_back(what);
	};

	EXPECT_EQ(0u, filter_absent(&f, &r, say, &absent));
	name_list_add(&f.targets, "iqn.one");
	name_list_add(&f.targets, (LONGEST + "y").c_str());
	name_list_add(&f.initiators, "iqn.h*");
	name_list_add(&f.disks, "dm-0");
	name_list_add(&f.disks, "sdz");
	id_list_add(&f.sids, 4);
	id_list_add(&f.sids, 7);
	id_list_add(&f.cids, 0);
	id_list_add(&f.luns, 18446744073709551614u);
	id_list_add(&f.luns, 5);
	EXPECT_EQ(4u, filter_absent(&f, &r, say, &absent));
	EXPECT_EQ(
		std::vector<std::string>({"target " + LONGEST + "y", "sid 7", "lun 5", "disk sdz"}),
		absent);
	EXPECT_EQ(4u, filter_absent(&f, &r, nullptr, nullptr));
}

} /* namespace */
