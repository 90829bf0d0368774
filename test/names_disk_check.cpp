// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Disks, tapes and multipath maps of LUNs; the kernel's name of a disk the user named. */
#include "test/names_tree.h"

TEST_F(NamesCheck, a_tape_has_no_disk)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	put(lun_folder(3, 1, "5") / "scsi_tape/st0/dev", "9:0");
	read();
	EXPECT_STREQ(lun(1, 5).disk, "");
	EXPECT_STREQ(lun(1, 5).devno, "");
}

TEST_F(NamesCheck, a_multipath_map_over_two_disks)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_session(4, 2, "iqn.a", "10.0.1.5");
	add_disk(3, 1, "0", "sda", "8:0");
	add_disk(4, 2, "0", "sdb", "8:16");
	add_holder(3, 1, "sda", "dm-2", "mpath-3600140", "mpatha");
	link(lun_folder(4, 2, "0") / "block/sdb/holders/dm-2", root / "block/dm-2");
	read();
	EXPECT_STREQ(lun(1, 0).dm, "dm-2");
	EXPECT_STREQ(lun(1, 0).mpath, "mpatha");
	EXPECT_STREQ(lun(2, 0).mpath, "mpatha");
	/* Flushing the map is no half-removed device: the name goes at once. */
	fs::remove_all(lun_folder(3, 1, "0") / "block/sda/holders/dm-2");
	read();
	EXPECT_STREQ(lun(1, 0).disk, "sda");
	EXPECT_STREQ(lun(1, 0).mpath, "");
}

TEST_F(NamesCheck, another_disk_in_the_place_of_the_first)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_disk(3, 1, "0", "sda", "8:0");
	add_holder(3, 1, "sda", "dm-2", "mpath-3600140", "mpatha");
	read();
	fs::remove_all(lun_folder(3, 1, "0"));
	add_disk(3, 1, "0", "sdq", "65:0");
	read();
	EXPECT_STREQ(lun(1, 0).disk, "sdq");
	EXPECT_STREQ(lun(1, 0).devno, "65:0");
	EXPECT_STREQ(lun(1, 0).mpath, "");
}

TEST_F(NamesCheck, queue_depth)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_disk(3, 1, "0", "sda", "8:0");
	read();
	EXPECT_EQ(lun(1, 0).queue_depth, 0u);
	put(lun_folder(3, 1, "0") / "queue_depth", "32");
	read();
	EXPECT_EQ(lun(1, 0).queue_depth, 32u);
	for (const char *wrong : {"", "-1", "4294967296", "32x"}) {
		put(lun_folder(3, 1, "0") / "queue_depth", wrong);
		read();
		EXPECT_EQ(lun(1, 0).queue_depth, 0u) << wrong;
	}
}

TEST_F(NamesCheck, other_device_mapper_holders_are_no_multipath)
{
	add_session(3, 1, "iqn.a", "10.0.0.5");
	add_disk(3, 1, "0", "sda", "8:0");
	add_holder(3, 1, "sda", "dm-0", "LVM-abcdef", "vg-lv");
	add_holder(3, 1, "sda", "dm-1", "part1-mpath-3600140", "mpatha-part1");
	read();
	EXPECT_STREQ(lun(1, 0).dm, "");
	add_holder(3, 1, "sda", "dm-7", "mpath-3600140", "mpatha");
	read();
	EXPECT_STREQ(lun(1, 0).dm, "dm-7");
}

TEST_F(NamesCheck, the_disk_of_a_device_number)
{
	char disk[DISK_NAME_SIZE];

	put(root / "devices/x/block/sda/dev", "8:0");
	put(root / "devices/x/block/sda/sda1/partition", "1");
	link(root / "dev/block/8:0", root / "devices/x/block/sda");
	link(root / "dev/block/8:1", root / "devices/x/block/sda/sda1");
	EXPECT_EQ(sysfs_disk(root.c_str(), 8, 0, disk, sizeof(disk)), 0);
	EXPECT_STREQ(disk, "sda");
	EXPECT_EQ(sysfs_disk(root.c_str(), 8, 1, disk, sizeof(disk)), 0);
	EXPECT_STREQ(disk, "sda");
	EXPECT_EQ(sysfs_disk(root.c_str(), 8, 2, disk, sizeof(disk)), -ENOENT);
}

TEST(NamesResolveCheck, what_is_not_there_keeps_its_name)
{
	const char *const specs[][2] = {
		{"sdzz", "sdzz"},
		{"8:0", "8:0"},
		{"dm-9999", "dm-9999"},
		{"mpatha", "mpatha"},
		{"/dev/sdzz", "sdzz"},
		{"/dev/dm-9999", "dm-9999"},
		{"/dev/mapper/no-such-map", "no-such-map"},
		{"/dev/disk/by-id/no-such-disk", "/dev/disk/by-id/no-such-disk"},
		{"/dev/null", "null"},
		{"", ""},
	};
	char out[MPATH_NAME_SIZE];

	for (const auto &spec : specs) {
		names_resolve_disk(spec[0], out, sizeof(out));
		EXPECT_STREQ(out, spec[1]) << spec[0];
	}
	names_resolve_disk("/dev/mapper/no-such-map", out, 3);
	EXPECT_STREQ(out, "no");
}

TEST(NamesResolveCheck, a_link_to_a_block_device_gives_its_kernel_name)
{
	std::string link = testing::TempDir() + "names_check_link";
	char out[DISK_NAME_SIZE];

	for (const auto &disk : fs::directory_iterator("/sys/block")) {
		fs::path node = "/dev" / disk.path().filename();

		if (!fs::exists(node))
			continue;
		fs::remove(link);
		fs::create_symlink(node, link);
		names_resolve_disk(link.c_str(), out, sizeof(out));
		EXPECT_EQ(out, disk.path().filename());
	}
	fs::remove(link);
}
