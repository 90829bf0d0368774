/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Heatmaps: rows and shades, whole pictures, and a terminal on which they are drawn in place. */
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "common_host.h"
extern "C" {
#include "output/heat.h"
#include "output/heatmap.h"
#include "output/printer_ops.h"
}

namespace
{

using Buckets = std::vector<uint64_t>;

heat_rows fit(const std::vector<uint64_t> &latencies_ns, uint32_t limit)
{
	Buckets bucket(LAT_HIST_BUCKETS);
	heat_rows rows;

	for (uint64_t ns : latencies_ns)
		bucket[lat_hist_bucket(ns)]++;
	heat_rows_fit(&rows, bucket.data(), limit);
	return rows;
}

TEST(heat, no_more_rows_than_there_is_room_for)
{
	for (uint32_t limit : {HEAT_ROWS_MIN, 5, 10, 24, 200}) {
		for (uint64_t lowest : {0ULL, 1024ULL, 50000ULL, 1ULL << 36})
			for (uint64_t highest : {2000ULL, 3000000ULL, 1ULL << 35, 1ULL << 40}) {
				heat_rows rows = fit({lowest, highest}, limit);

				EXPECT_LE(rows.count, limit);
				EXPECT_GE(rows.count, 1u);
			}
	}
	EXPECT_EQ(0u, fit({}, 24).count);
	EXPECT_EQ(1u, fit({5000}, 24).count);
}

TEST(heat, as_fine_as_the_room_allows)
{
	/* Two octaves: eight rows of a quarter, four of a half, two of one. */
	EXPECT_EQ(2u, fit({1024, 4095}, 8).step);
	EXPECT_EQ(4u, fit({1024, 4095}, 7).step);
	EXPECT_EQ(8u, fit({1024, 4095}, 3).step);
}

TEST(heat, every_bucket_is_in_a_row_that_holds_it)
{
	for (uint32_t limit : {HEAT_ROWS_MIN, 24, 200}) {
		heat_rows rows = fit({0, UINT64_MAX}, limit);

		for (uint32_t b = 0; b < LAT_HIST_BUCKETS; b++) {
			uint32_t row = heat_row_of(&rows, b);

			ASSERT_LT(row, rows.count);
			EXPECT_LE(heat_row_low_ns(&rows, row), lat_hist_low_ns(b));
			if (b + 1 < LAT_HIST_BUCKETS) {
				EXPECT_GE(heat_row_low_ns(&rows, row + 1), lat_hist_low_ns(b + 1));
			}
		}
	}
}

TEST(heat, shades)
{
	EXPECT_EQ(0u, heat_level(0, 0, 9));
	EXPECT_EQ(0u, heat_level(0, 100, 9));
	EXPECT_EQ(9u, heat_level(1, 1, 9));
	EXPECT_EQ(1u, heat_level(1, 2, 9));
	EXPECT_EQ(9u, heat_level(UINT64_MAX, UINT64_MAX, 9));
	for (uint64_t most : {1ULL, 2ULL, 9ULL, 528ULL, 1000000007ULL}) {
		uint32_t before = 0;

		for (uint64_t count = 1; count <= most && count < 2000; count++) {
			uint32_t level = heat_level(count, most, 9);

			EXPECT_GE(level, std::max(1u, before)) << count;
			EXPECT_LE(level, 9u);
			/* The legend tells where a shade begins. */
			if (level != before) {
				EXPECT_EQ(count, heat_level_low(level, most, 9));
			}
			for (uint32_t skipped = before + 1; skipped < level; skipped++)
				EXPECT_EQ(0u, heat_level_low(skipped, most, 9));
			before = level;
		}
	}
}

TEST(heat, columns)
{
	EXPECT_EQ(1u, heatmap_columns(0));
	EXPECT_EQ(1u, heatmap_columns(13));
	EXPECT_EQ(88u, heatmap_columns(100));
	EXPECT_EQ(HEATMAP_WIDTH_MAX, heatmap_columns(100000));
}

class Heatmap : public Hists
{
      protected:
	struct options o_;
	char *text_ = nullptr;
	size_t size_ = 0;
	FILE *out_ = nullptr;
	struct printer *printer_ = nullptr;

	void SetUp() override
	{
		setenv("TZ", "UTC0", 1);
		options_init(&o_);
		o_.heatmap = 1U << STAGE_TOTAL;
		o_.by = 0;
		fill(true);
		r.length_ns = 1000000000;
	}

	void TearDown() override
	{
		printer_close(printer_);
		if (out_)
			fclose(out_);
		free(text_);
	}

	void open(FILE *out)
	{
		out_ = out;
		ASSERT_EQ(0, printer_open(&o_, out_, &printer_));
	}

	void interval()
	{
		records_deinit(&records);
		r.start_ns += 1000000000;
		ASSERT_EQ(0, group_reading(&r, &f, o_.by, false, &records));
		ASSERT_EQ(0, printer_interval(printer_, &r, &records));
	}

	/* What so many intervals give that are not drawn on a terminal. */
	std::string page(int intervals)
	{
		open(open_memstream(&text_, &size_));
		for (int i = 0; i < intervals; i++)
			interval();
		EXPECT_EQ(0, printer_finish(printer_));
		EXPECT_EQ(0, printer_flush(out_));
		return text_;
	}
};

TEST_F(Heatmap, of_all)
{
	reading_event(&r, EVENT_SESSION)->turn = SESSION_LOGIN;
	r.events[0].time_ns = r.events[0].sid = 1;
	EXPECT_EQ("00:00:00.000 sid 1 iqn.one logged in\n"
		  "00:00:00.000 sid 1 iqn.one logged in\n"
		  "all: total of 300 commands\n"
		  "     usecs |\n"
		  "      41.0 |@@\n"
		  "           +!!\n"
		  "            00:00:02\n"
		  "\n"
		  "  commands  . 1  : 2  - 4  = 7  + 13  * 23  # 43  % 81  @ 150   column "
		  "1 s\n",
		  page(2));
}

TEST_F(Heatmap, of_each_in_one_scale)
{
	o_.by = BY_OP;
	std::string text = page(1);

	EXPECT_NE(std::string::npos, text.find("OP read: total of 50 commands\n"));
	EXPECT_NE(std::string::npos, text.find("OP write: total of 20 commands\n"));
	EXPECT_NE(std::string::npos, text.find("OP other: total of 80 commands\n"));
	EXPECT_NE(std::string::npos, text.find("      41.0 |@\n"));
	EXPECT_NE(std::string::npos, text.find("      41.0 |*\n"));
}

TEST_F(Heatmap, a_page_at_a_time)
{
	std::string text = page(88 + 5);

	EXPECT_NE(std::string::npos, text.find("total of 13200 commands\n"));
	EXPECT_NE(std::string::npos, text.find("total of 750 commands\n"));
	EXPECT_NE(std::string::npos, text.find("|" + std::string(88, '@') + "\n"));
	EXPECT_EQ(std::string::npos, text.find('\033'));
}

TEST_F(Heatmap, nothing_of_nothing)
{
	EXPECT_EQ("", page(0));
}

TEST_F(Heatmap, what_is_not_known_is_said)
{
	r.stages_known = 1U << STAGE_TOTAL;
	o_.heatmap = 1U << STAGE_QUEUE;
	EXPECT_EQ("all: queue cannot be told from the stage before\n\n", page(1));
}

TEST_F(Heatmap, not_more_than_was_collected)
{
	o_.by = BY_SID | BY_LUN;
	reading_deinit(&r);
	r.stages_known = STAGES_ALL_KNOWN;
	count_commands(&r, make_key(1, 0, OP_READ), 10, 0);
	EXPECT_NE(std::string::npos, page(1).find(": total of 0 out of 10 commands\n"));
}

/* A terminal of 60 columns and 24 lines. */
class Terminal : public Heatmap
{
      protected:
	int master_ = -1;

	void SetUp() override
	{
		Heatmap::SetUp();
		struct winsize size = {24, 60, 0, 0};

		master_ = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
		ASSERT_GE(master_, 0);
		ASSERT_EQ(0, grantpt(master_));
		ASSERT_EQ(0, unlockpt(master_));
		ASSERT_EQ(0, ioctl(master_, TIOCSWINSZ, &size));
		setenv("TERM", "xterm", 1);
		unsetenv("NO_COLOR");
		open(fopen(ptsname(master_), "r+"));
	}

	void TearDown() override
	{
		Heatmap::TearDown();
		close(master_);
	}

	std::string shown()
	{
		struct pollfd ready = {master_, POLLIN, 0};
		std::string text;
		char part[4096];

		/* It comes a little later than it was written. */
		while (poll(&ready, 1, 50) > 0) {
			ssize_t length = read(master_, part, sizeof(part));

			if (length <= 0)
				break;
			text.append(part, length);
		}
		return text;
	}
};

TEST_F(Terminal, draws_over_what_it_drew)
{
	interval();
	std::string first = shown();
	EXPECT_EQ(std::string::npos, first.find("\033[J"));
	EXPECT_NE(std::string::npos, first.find("\033[0;7;31m@\033[0m"));
	long lines = std::count(first.begin(), first.end(), '\n');
	interval();
	EXPECT_EQ(0u, shown().find("\033[" + std::to_string(lines) + "A\r\033[J"));
	EXPECT_EQ(0, printer_finish(printer_));
	EXPECT_EQ("", shown());
}

TEST_F(Terminal, never_taller_or_wider_than_it_is)
{
	o_.by = BY_SID | BY_LUN | BY_OP;
	for (int i = 0; i < 60; i++) {
		/* A row more with each. */
		struct sums_key key = make_key(1, 0, OP_READ);
		reading_hist(&r, &key)->bucket[STAGE_TOTAL][2 * i]++;
		setenv("NO_COLOR", "1", 1);
		interval();
		std::string text = shown();
		EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 24);
		EXPECT_NE(std::string::npos, text.find("for which there is no room"));
		EXPECT_EQ(std::string::npos, text.find("\033[0;7"));
		size_t line = text.find("\033[J") == std::string::npos ? 0 : text.find("J") + 1;
		for (size_t end; (end = text.find("\r\n", line)) != std::string::npos;
		     line = end + 2)
			EXPECT_LE(end - line, 60u) << text.substr(line, end - line);
	}
}

TEST_F(Terminal, that_is_dumb_gets_pages)
{
	setenv("TERM", "dumb", 1);
	interval();
	EXPECT_EQ("", shown());
	EXPECT_EQ(0, printer_finish(printer_));
	EXPECT_NE(std::string::npos, shown().find("all: total of 150 commands\r\n"));
}

} // namespace
