/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The program's output file: opened anew when it was rotated away, left alone where it is replaced
 * anyway. */
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>
#include "common_host.h"
extern "C" {
#include "output/report.h"
}

namespace
{

class Report : public Host
{
      protected:
	char folder_[32] = "/tmp/report.XXXXXX";
	std::string path_;
	struct options o_;
	struct report report_;

	void SetUp() override
	{
		ASSERT_NE(nullptr, mkdtemp(folder_));
		path_ = std::string(folder_) + "/output";
		options_init(&o_);
		o_.output = path_.c_str();
		o_.by = BY_INITIATOR;
		counts(o_.by);
	}

	void TearDown() override
	{
		EXPECT_EQ(0, report_close(&report_, false));
		EXPECT_EQ(0, system(("rm -r " + std::string(folder_)).c_str()));
	}

	std::string content(const std::string &path)
	{
		std::ifstream in(path);

		return std::string(std::istreambuf_iterator<char>(in), {});
	}
};

TEST_F(Report, csv_has_one_header_per_file)
{
	const std::string rotated = path_ + ".1", header = "initiator,ios\n",
			  row = "iqn.host,150\n";

	o_.format = FORMAT_CSV;
	o_.columns = "initiator,ios";
	ASSERT_EQ(0, report_open(&report_, &o_));
	EXPECT_TRUE(report_has_file(&report_));
	EXPECT_EQ(0, report_interval(&report_, &r, &records));
	EXPECT_EQ(header + row, content(path_));
	/* Not moved away: goes on. */
	EXPECT_EQ(0, report_reopen(&report_));
	EXPECT_EQ(0, report_interval(&report_, &r, &records));
	EXPECT_EQ(header + row + row, content(path_));
	ASSERT_EQ(0, rename(path_.c_str(), rotated.c_str()));
	EXPECT_EQ(0, report_reopen(&report_));
	EXPECT_EQ(0, report_interval(&report_, &r, &records));
	EXPECT_EQ(header + row, content(path_));
	EXPECT_EQ(header + row + row, content(rotated));
}

TEST_F(Report, what_is_scraped_is_one_exposition)
{
	o_.format = FORMAT_OPENMETRICS;
	ASSERT_EQ(0, report_open(&report_, &o_));
	/* HUP does not end the program, nor does it touch the file. */
	EXPECT_TRUE(report_has_file(&report_));
	EXPECT_NE(0, access(path_.c_str(), F_OK));
	EXPECT_EQ(0, report_interval(&report_, &r, &records));
	const std::string first = content(path_);
	EXPECT_EQ(first.size() - 6, first.find("# EOF\n"));
	EXPECT_EQ(0, report_reopen(&report_));
	EXPECT_EQ(first, content(path_));
	/* Somebody removed it: it comes again. */
	ASSERT_EQ(0, unlink(path_.c_str()));
	EXPECT_EQ(0, report_interval(&report_, &r, &records));
	EXPECT_EQ(first, content(path_));
}

} // namespace
