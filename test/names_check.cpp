// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of sessions, portals and LUNs; how they come, go and are used again. */
#include "test/names_tree.h"

TEST_F(NamesCheck, a_sysfs_without_iscsi_is_empty)
{
	read();
	EXPECT_EQ(r.session_count, 0u);
	EXPECT_EQ(r.lun_count, 0u);
	EXPECT_FALSE(names_has_session(names, 1));
}

TEST_F(NamesCheck, one_session_with_its_disk)
{
	uint32_t host = 0;

	add_session(3, 1, "iqn.2026-01.com.example:a", "10.0.0.5");
	add_disk(3, 1, "0", "sda", "8:0");
	read();
	EXPECT_EQ(session(1).cid, 0u);
	EXPECT_STREQ(session(1).target, "iqn.2026-01.com.example:a");
	EXPECT_STREQ(session(1).initiator, "iqn.2026-01.com.example:host");
	EXPECT_STREQ(session(1).portal, "10.0.0.5:3260");
	EXPECT_STREQ(lun(1, 0).disk, "sda");
	EXPECT_STREQ(lun(1, 0).devno, "8:0");
	EXPECT_STREQ(lun(1, 0).dm, "");
	EXPECT_STREQ(lun(1, 0).mpath, "");
	EXPECT_TRUE(names_has_session(names, 1));
	EXPECT_EQ(names_host(names, 1, &host), 0);
	EXPECT_EQ(host, 3u);
	EXPECT_EQ(names_host(names, 2, &host), -ENOENT);
}

TEST_F(NamesCheck, an_ipv6_portal_is_in_brackets)
{
	add_session(3, 1, "iqn.a", "fe80::1");
	add_session(4, 2, "iqn.a", "[fe80::2]");
	read();
	EXPECT_STREQ(session(1).portal, "[fe80::1]:3260");
	EXPECT_STREQ(session(2).portal, "[fe80::2]:3260");
}

TEST_F(NamesCheck, the_longest_names_fit)
{
	std::string target = "iqn." + std::string(219, 'x'), address(250, 'd');

	add_session(3, 1, target, address);
	read();
	EXPECT_EQ(session(1).target, target);
	EXPECT_EQ(session(1).portal, address + ":3260");
}

TEST_F(NamesCheck, two_sessions_with_several_luns)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_session(12, 10, "iqn.b", "10.0.0.6");
	add_disk(3, 1, "0", "sda", "8:0");
	add_disk(3, 1, "17", "sdb", "8:16");
	add_disk(12, 10, "0", "sdaa", "65:160");
	add_disk(12, 10, "18446744073709551614", "sdab", "65:176");
	read();
	EXPECT_EQ(r.session_count, 2u);
	EXPECT_EQ(r.lun_count, 4u);
	EXPECT_STREQ(session(10).target, "iqn.b");
	EXPECT_STREQ(lun(1, 17).disk, "sdb");
	EXPECT_STREQ(lun(10, 0).disk, "sdaa");
	EXPECT_STREQ(lun(10, 18446744073709551614u).devno, "65:176");
	EXPECT_EQ(reading_find_lun(&r, 10, 17), nullptr);
}

TEST_F(NamesCheck, the_initiator_comes_from_the_host_when_the_session_has_none)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	put(session_class(1) / "initiatorname", "(null)");
	read();
	EXPECT_STREQ(session(1).initiator, "");
	put(root / "class/iscsi_host/host3/initiatorname", "iqn.card");
	read();
	EXPECT_STREQ(session(1).initiator, "iqn.card");
}

TEST_F(NamesCheck, the_current_address_where_none_was_configured)
{
	add_session(3, 1, "iqn.a", "(null)");
	put(connection_class(1) / "address", "10.9.9.9");
	put(connection_class(1) / "port", "3261");
	read();
	EXPECT_STREQ(session(1).portal, "10.9.9.9:3261");
}

TEST_F(NamesCheck, a_session_that_went_is_named_until_forgotten)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_disk(3, 1, "0", "sda", "8:0");
	read();
	fs::remove_all(device(3, 1));
	fs::remove(session_class(1));
	fs::remove_all(connection_class(1));
	read();
	EXPECT_FALSE(names_has_session(names, 1));
	EXPECT_STREQ(session(1).target, "iqn.a");
	EXPECT_STREQ(session(1).portal, "10.0.0.5:3260");
	EXPECT_STREQ(lun(1, 0).disk, "sda");
	names_forget(names);
	read();
	EXPECT_EQ(r.session_count, 0u);
	EXPECT_EQ(r.lun_count, 0u);
}

TEST_F(NamesCheck, forgetting_keeps_what_is_there)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_disk(3, 1, "0", "sda", "8:0");
	add_disk(3, 1, "1", "sdb", "8:16");
	read();
	fs::remove_all(lun_folder(3, 1, "0"));
	read();
	EXPECT_EQ(r.lun_count, 2u);
	names_forget(names);
	read();
	EXPECT_EQ(r.session_count, 1u);
	EXPECT_EQ(r.lun_count, 1u);
	EXPECT_STREQ(lun(1, 1).disk, "sdb");
}

TEST_F(NamesCheck, a_session_id_used_again_by_another_target)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_disk(3, 1, "0", "sda", "8:0");
	add_disk(3, 1, "4", "sdb", "8:16");
	read();
	fs::remove_all(root / "devices");
	fs::remove_all(root / "class");
	add_session(8, 1, "iqn.other", "10.0.0.99");
	add_disk(8, 1, "0", "sdc", "8:32");
	read();
	uint32_t host = 0;
	EXPECT_STREQ(session(1).target, "iqn.other");
	EXPECT_STREQ(session(1).portal, "10.0.0.99:3260");
	EXPECT_EQ(names_host(names, 1, &host), 0);
	EXPECT_EQ(host, 8u);
	EXPECT_STREQ(lun(1, 0).disk, "sdc");
	EXPECT_EQ(r.lun_count, 1u);
}

TEST_F(NamesCheck, what_vanishes_from_a_half_removed_tree_is_kept)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_disk(3, 1, "0", "sda", "8:0");
	read();
	fs::remove(session_class(1) / "targetname");
	fs::remove(session_class(1) / "initiatorname");
	fs::remove(connection_class(1) / "persistent_address");
	fs::remove_all(lun_folder(3, 1, "0") / "block");
	read();
	EXPECT_TRUE(names_has_session(names, 1));
	EXPECT_STREQ(session(1).target, "iqn.a");
	EXPECT_STREQ(session(1).initiator, "iqn.2026-01.com.example:host");
	EXPECT_STREQ(session(1).portal, "10.0.0.5:3260");
	EXPECT_STREQ(lun(1, 0).disk, "sda");
}

TEST_F(NamesCheck, a_half_made_tree_is_completed_later)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	fs::remove(session_class(1) / "targetname");
	fs::remove_all(connection_class(1));
	fs::remove(session_class(1) / "device");
	read();
	EXPECT_STREQ(session(1).target, "");
	EXPECT_STREQ(session(1).portal, "");
	uint32_t host = 0;
	EXPECT_EQ(names_host(names, 1, &host), -ENOENT);
	put(session_class(1) / "targetname", "iqn.a");
	link(session_class(1) / "device", device(3, 1));
	add_disk(3, 1, "0", "sda", "8:0");
	read();
	EXPECT_STREQ(session(1).target, "iqn.a");
	EXPECT_STREQ(lun(1, 0).disk, "sda");
	EXPECT_EQ(names_host(names, 1, &host), 0);
}
