// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A sysfs made in a temporary folder, for the tests of the names. */
#ifndef STORPROTOTRACE_NAMES_TREE_H
#define STORPROTOTRACE_NAMES_TREE_H

#include <filesystem>
#include <fstream>
#include <string>
#include <gtest/gtest.h>
#include "common/reading.h"
extern "C" {
#include "iscsi_bpf/names.h"
#include "iscsi_bpf/names_sysfs.h"
}

namespace fs = std::filesystem;

/* A sysfs with what the iSCSI transport class, SCSI disks and device-mapper show. */
class NamesCheck : public ::testing::Test
{
      protected:
	fs::path root;
	struct names *names = nullptr;
	struct reading r;

	void SetUp() override
	{
		std::string pattern = (fs::temp_directory_path() / "names_check.XXXXXX").string();

		root = mkdtemp(pattern.data());
		reading_init(&r);
		ASSERT_EQ(names_open(root.c_str(), &names), 0);
	}

	void TearDown() override
	{
		names_close(names);
		reading_deinit(&r);
		fs::remove_all(root);
	}

	static void put(const fs::path &file, const std::string &text)
	{
		fs::create_directories(file.parent_path());
		std::ofstream(file) << text << "\n";
	}

	static void link(const fs::path &from, const fs::path &to)
	{
		fs::create_directories(from.parent_path());
		fs::create_directory_symlink(to, from);
	}

	fs::path device(int host, int sid)
	{
		return root / ("devices/platform/host" + std::to_string(host) + "/session" +
			       std::to_string(sid));
	}

	fs::path session_class(int sid)
	{
		return root / ("class/iscsi_session/session" + std::to_string(sid));
	}

	fs::path connection_class(int sid)
	{
		return root / ("class/iscsi_connection/connection" + std::to_string(sid) + ":0");
	}

	void add_session(int host, int sid, const std::string &target, const std::string &address)
	{
		fs::path folder = device(host, sid) / "iscsi_session" / ("s" + std::to_string(sid));

		put(folder / "targetname", target);
		put(folder / "initiatorname", "iqn.2026-01.com.example:host");
		link(folder / "device", device(host, sid));
		link(session_class(sid), folder);
		put(connection_class(sid) / "persistent_address", address);
		put(connection_class(sid) / "persistent_port", "3260");
	}

	fs::path lun_folder(int host, int sid, const std::string &lun)
	{
		std::string target = std::to_string(host) + ":0:0";

		return device(host, sid) / ("target" + target) / (target + ":" + lun);
	}

	void add_disk(int host, int sid, const std::string &lun, const std::string &disk,
		      const std::string &devno)
	{
		put(lun_folder(host, sid, lun) / "block" / disk / "dev", devno);
		fs::create_directories(lun_folder(host, sid, lun) / "block" / disk / "holders");
	}

	void add_holder(int host, int sid, const std::string &disk, const std::string &dm,
			const std::string &uuid, const std::string &name)
	{
		put(root / "block" / dm / "dm/uuid", uuid);
		put(root / "block" / dm / "dm/name", name);
		link(lun_folder(host, sid, "0") / "block" / disk / "holders" / dm,
		     root / "block" / dm);
	}

	/* Refreshes and copies into an empty reading. */
	void read()
	{
		ASSERT_EQ(names_refresh(names), 0);
		reading_deinit(&r);
		ASSERT_EQ(names_copy(names, &r), 0);
	}

	const struct session_name &session(uint32_t sid)
	{
		static const struct session_name none = {};
		const struct session_name *found = reading_find_session(&r, sid);

		EXPECT_NE(found, nullptr) << "session " << sid;
		return found ? *found : none;
	}

	const struct lun_name &lun(uint32_t sid, uint64_t number)
	{
		static const struct lun_name none = {};
		const struct lun_name *found = reading_find_lun(&r, sid, number);

		EXPECT_NE(found, nullptr) << "session " << sid << " LUN " << number;
		return found ? *found : none;
	}
};

#endif
