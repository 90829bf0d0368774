/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Histograms as they are drawn. */
#include <memory>
#include <sstream>
#include "common_host.h"
#include "output/histogram.h"
#include "output/printer.h"

namespace
{

/* A record whose commands' times are known one by one. */
class Drawn : public testing::Test
{
      protected:
	struct options o_;
	std::unique_ptr<struct iscsi_stats> stats_{new struct iscsi_stats()};
	std::unique_ptr<struct iscsi_hists> hists_{new struct iscsi_hists()};

	void SetUp() override
	{
		setenv("LC_ALL", "C.UTF-8", 1);
		options_init(&o_);
		o_.histograms = 1U << STAGE_TOTAL;
		stats_->hists = hists_.get();
		stats_->keys = stats_->keys_asked = BY_LUN;
		stats_->lun = 7;
		for (auto &stage : stats_->stages)
			stage.known = true;
	}

	void commands(uint64_t count, uint64_t ns, enum iscsi_stage stage = STAGE_TOTAL)
	{
		stats_->count += count;
		stats_->stages[stage].count += count;
		if (stats_->stages[stage].max_ns < ns)
			stats_->stages[stage].max_ns = ns;
		hists_->bucket[stage][lat_hist_bucket(ns)] += count;
	}

	std::string draw(int expected = 1)
	{
		struct histogram histogram;
		char *text = nullptr;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		histogram_init(&histogram, &o_);
		EXPECT_EQ(expected, histogram_write(&histogram, stats_.get(), out));
		fclose(out);
		std::string drawn(text, size);
		free(text);
		return drawn;
	}
};

TEST_F(Drawn, usecs)
{
	commands(1000, 2048);
	commands(499, 2559);
	commands(1, 2560);
	commands(750, 3000000);
	EXPECT_EQ("\n"
		  "LUN 7: total of 2250 commands\n"
		  "     usecs               : count    distribution\n"
		  "      2.05 -> 2.56       : 1499     |****************************************| "
		  "p50\n"
		  "      2.56 -> 3.07       : 1        |*                                       |\n"
		  "      3.07 -> 2621       : 0        |                                        |\n"
		  "      2621 -> 3146       : 750      |*********************                   |"
		  " p90 p99\n",
		  draw());
}

TEST_F(Drawn, msecs)
{
	commands(3, 1048576);
	commands(1, 60000000000);
	o_.percentiles[0] = 99.95;
	o_.percentile_count = 1;
	EXPECT_EQ("\n"
		  "LUN 7: total of 4 commands\n"
		  "     msecs               : count    distribution\n"
		  "      1.05 -> 1.31       : 3        |****************************************|\n"
		  "      1.31 -> 51540      : 0        |                                        |\n"
		  "     51540 -> 60130      : 1        |**************                          |"
		  " p99.95\n",
		  draw());
}

TEST_F(Drawn, the_shortest_and_the_longest)
{
	commands(1, 0);
	commands(1, 1023);
	commands(1, 1ULL << 36);
	commands(1, 100ULL << 30);
	EXPECT_EQ("\n"
		  "LUN 7: total of 4 commands\n"
		  "     usecs               : count    distribution\n"
		  "         0 -> 1.02       : 2        |****************************************| "
		  "p50\n"
		  "      1.02 -> 68719477   : 0        |                                        |\n"
		  "  68719477 -> 107374182  : 2        |****************************************|"
		  " p90 p99\n",
		  draw());
}

/* Each command is in the row that its time belongs to, and in no other. */
TEST_F(Drawn, every_bucket_has_its_row)
{
	for (uint32_t bucket = 0; bucket < LAT_HIST_BUCKETS; bucket++) {
		uint64_t ns = lat_hist_low_ns(bucket);
		std::string line;
		int rows = 0;

		*hists_ = {};
		*stats_ = {};
		SetUp();
		commands(1009, ns);
		std::istringstream in(draw());
		for (int i = 0; i < 3; i++)
			std::getline(in, line);
		double unit = line.find("usecs") != std::string::npos ? 1e3 : 1e6, low, high;
		while (std::getline(in, line)) {
			ASSERT_EQ(2, sscanf(line.c_str(), " %lf -> %lf : 1009 ", &low, &high))
				<< line;
			EXPECT_LE(low * 0.995, ns / unit) << line;
			EXPECT_GE(high * 1.005, ns / unit) << line;
			EXPECT_NE(std::string::npos, line.find(" p50 p90 p99")) << line;
			rows++;
		}
		EXPECT_EQ(1, rows);
	}
}

TEST_F(Drawn, stages_in_their_order)
{
	o_.histograms = 1U << STAGE_TOTAL | 1U << STAGE_SEND | 1U << STAGE_R2T;
	commands(1, 5000);
	commands(1, 5000, STAGE_SEND);
	stats_->stages[STAGE_R2T].known = false;
	std::string drawn = draw();
	EXPECT_EQ(0u, drawn.find("\nLUN 7: send of 1 command\n")) << drawn;
	EXPECT_NE(std::string::npos,
		  drawn.find("\nLUN 7: r2t cannot be told from the stage before\n\nLUN 7: total"));
}

TEST_F(Drawn, nothing_of_nothing_and_not_more_than_was_collected)
{
	EXPECT_EQ("", draw(0));
	commands(10, 5000);
	stats_->stages[STAGE_TOTAL].count = 12;
	EXPECT_NE(std::string::npos, draw().find("LUN 7: total of 10 out of 12 commands\n"));
	stats_->hists = nullptr;
	EXPECT_EQ("\nLUN 7: total of 0 out of 12 commands\n", draw());
	o_.histograms = 0;
	EXPECT_EQ("", draw(0));
}

TEST_F(Drawn, names_are_safe_and_short)
{
	stats_->keys = group_closure(BY_DEFAULT);
	stats_->keys_asked = BY_DEFAULT;
	stats_->sid = 3;
	strcpy(stats_->target_name, ("\x1b[31m" + std::string(200, 'x')).c_str());
	commands(1, 5000);
	EXPECT_EQ(0u, draw().find("\nSID 3 TARGET \\x1b[3..xxxxxxxxxxxxx: total of 1 command\n"))
		<< draw();
}

TEST_F(Hists, below_the_table_and_a_header_again)
{
	struct printer *printer = nullptr;
	struct options options;
	char *text = nullptr;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	options_init(&options);
	options.by = BY_INITIATOR;
	options.histograms = 1U << STAGE_TOTAL;
	fill(true);
	counts(options.by);
	ASSERT_EQ(0, printer_open(&options, out, &printer));
	EXPECT_EQ(0, printer_interval(printer, &r, &records));
	EXPECT_EQ(0, printer_interval(printer, &r, &records));
	printer_close(printer);
	fclose(out);
	std::string printed(text, size);
	free(text);
	size_t half = printed.size() / 2;
	/* Both reports, a blank line between them. */
	EXPECT_EQ(printed.substr(0, half), printed.substr(half + 1));
	EXPECT_EQ('\n', printed[half]);
	EXPECT_NE(std::string::npos, printed.find("INITIATOR iqn.host: total of 150 commands\n"));
	EXPECT_NE(std::string::npos,
		  printed.find("      41.0 -> 49.2       : 150      |****************************"
			       "************| p50 p90 p99\n"))
		<< printed;
}

} // namespace
