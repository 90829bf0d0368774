/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Histograms, percentiles, sums, names of a record's parts, messages. */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>
#include <gtest/gtest.h>
#include "common/common.h"
#include "common/log.h"
#include "common/options.h"

namespace
{

const uint64_t LOWEST_NS = 1ULL << LAT_HIST_MIN_SHIFT;
const uint64_t BEYOND_NS = 1ULL << LAT_HIST_MAX_SHIFT;

TEST(lat_hist, every_boundary)
{
	ASSERT_EQ(210, LAT_HIST_BUCKETS);
	EXPECT_EQ(0u, lat_hist_low_ns(0));
	EXPECT_EQ(LOWEST_NS, lat_hist_low_ns(1));
	EXPECT_EQ(BEYOND_NS, lat_hist_low_ns(LAT_HIST_BUCKETS - 1));
	for (uint32_t bucket = 1; bucket < LAT_HIST_BUCKETS; bucket++) {
		uint64_t low_ns = lat_hist_low_ns(bucket);

		EXPECT_EQ(bucket, lat_hist_bucket(low_ns));
		EXPECT_EQ(bucket - 1, lat_hist_bucket(low_ns - 1));
		EXPECT_EQ(bucket, lat_hist_bucket(low_ns + 1));
	}
}

TEST(lat_hist, ends)
{
	EXPECT_EQ(0u, lat_hist_bucket(0));
	EXPECT_EQ(0u, lat_hist_bucket(1023));
	EXPECT_EQ(1u, lat_hist_bucket(1024));
	EXPECT_EQ(208u, lat_hist_bucket(BEYOND_NS - 1));
	EXPECT_EQ(209u, lat_hist_bucket(BEYOND_NS));
	EXPECT_EQ(209u, lat_hist_bucket(UINT64_MAX));
}

TEST(lat_hist, middle_is_within_a_sixteenth_of_every_value)
{
	for (uint32_t bucket = 1; bucket < LAT_HIST_BUCKETS - 1; bucket++) {
		double low = static_cast<double>(lat_hist_low_ns(bucket));
		double high = static_cast<double>(lat_hist_low_ns(bucket + 1) - 1);
		double middle = (low + high + 1) / 2;

		EXPECT_LE(middle - low, 0.0625 * low) << bucket;
		EXPECT_LE(high - middle, 0.0625 * high) << bucket;
	}
}

/* A record with the histogram of some latencies, and the latencies themselves. */
class Sample
{
	std::vector<uint64_t> sorted_;
	std::unique_ptr<struct iscsi_hists> hists_;

      public:
	struct iscsi_stats stats;

	explicit Sample(std::vector<uint64_t> latencies)
	    : sorted_(std::move(latencies)), hists_(new iscsi_hists()), stats()
	{
		struct iscsi_stage_time &total = stats.stages[STAGE_TOTAL];

		stats.hists = hists_.get();
		stats.count = sorted_.size();
		total.known = true;
		for (uint64_t ns : sorted_) {
			hists_->bucket[STAGE_TOTAL][lat_hist_bucket(ns)]++;
			total.max_ns = std::max(total.max_ns, ns);
		}
		std::sort(sorted_.begin(), sorted_.end());
	}
	/* The definition: the smallest latency that so many per cent did not exceed. */
	uint64_t exact(double percent) const
	{
		size_t rank = 1;

		while (static_cast<double>(rank) * 100 <
		       percent * static_cast<double>(sorted_.size()) - 1e-6)
			rank++;
		return sorted_[rank - 1];
	}
	uint64_t estimate(double percent) const
	{
		uint64_t ns = UINT64_MAX;

		EXPECT_EQ(0, iscsi_percentile(&stats, STAGE_TOTAL, percent, &ns));
		return ns;
	}
	void expect_close() const
	{
		uint64_t before = 0;

		for (double percent : {0.001, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
			uint64_t ns = estimate(percent);
			double exact_ns = static_cast<double>(exact(percent));

			EXPECT_LE(std::fabs(static_cast<double>(ns) - exact_ns), 0.0625 * exact_ns)
				<< percent;
			EXPECT_LE(ns, stats.stages[STAGE_TOTAL].max_ns);
			EXPECT_GE(ns, before);
			before = ns;
		}
	}
};

TEST(percentile, uniform)
{
	std::vector<uint64_t> latencies;

	for (uint64_t i = 1; i <= 1009; i++)
		latencies.push_back(i * 100000);
	Sample(latencies).expect_close();
}

TEST(percentile, bimodal)
{
	std::vector<uint64_t> latencies(900, 200000);
	Sample sample = (latencies.insert(latencies.end(), 100, 50000000), Sample(latencies));

	sample.expect_close();
	EXPECT_LT(sample.estimate(90), 250000u);
	EXPECT_GT(sample.estimate(90.1), 40000000u);
}

TEST(percentile, heavy_tail)
{
	std::vector<uint64_t> latencies;

	/* Pareto, alpha 1.16: from 100 us to half a minute. */
	for (int i = 1; i <= 10007; i++)
		latencies.push_back(
			static_cast<uint64_t>(100000 * std::pow(i / 10008.0, -1 / 0.73)));
	Sample(latencies).expect_close();
}

TEST(percentile, all_equal_and_one)
{
	Sample equal(std::vector<uint64_t>(503, 123456));
	Sample one({7000000});

	equal.expect_close();
	EXPECT_EQ(equal.estimate(1), equal.estimate(100));
	one.expect_close();
	EXPECT_EQ(one.estimate(50), one.estimate(99.9));
}

/* Whatever the latencies are, from 1.024 us to 68 s, any number of them. */
TEST(percentile, of_any_commands)
{
	std::mt19937_64 random(20261130);
	const double lowest = 1024, highest = 68e9;
	const std::function<double()> distributions[] = {
		[&] { return std::uniform_real_distribution<>(lowest, highest)(random); },
		[&] { return std::exp(std::uniform_real_distribution<>(7, 24.9)(random)); },
		[&] {
			return random() % 10 ? 200e3 + random() % 50000 : 30e6 + random() % 9000000;
		},
		[&] { return std::lognormal_distribution<>(13, 2)(random); },
		[&] {
			return 5e3 /
			       std::pow(std::uniform_real_distribution<>(1e-9, 1)(random), 0.9);
		},
		[&] { return 123457.0; },
		/* Where buckets begin and end. */
		[&] { return static_cast<double>((1ULL << (10 + random() % 26)) - random() % 2); },
	};

	for (const auto &distribution : distributions) {
		for (int round = 0; round < 40; round++) {
			std::vector<uint64_t> latencies(round < 10 ? 1 + round
								   : 1 + random() % 3000);

			for (uint64_t &ns : latencies)
				ns = static_cast<uint64_t>(
					std::min(std::max(distribution(), lowest), highest));
			Sample(latencies).expect_close();
			if (HasFailure())
				return;
		}
	}
}

TEST(percentile, rank_is_exact)
{
	std::vector<uint64_t> latencies(999, 10000);
	Sample sample = (latencies.push_back(90000000), Sample(latencies));

	EXPECT_LT(sample.estimate(99.9), 11000u);
	EXPECT_GT(sample.estimate(99.91), 80000000u);

	/* In doubles, 0.07 * 10000 / 100 is above 7. */
	std::vector<uint64_t> few(9993, 90000000);
	Sample seven = (few.insert(few.end(), 7, 10000), Sample(few));

	EXPECT_LT(seven.estimate(0.07), 11000u);
	EXPECT_GT(seven.estimate(0.08), 80000000u);
}

TEST(percentile, never_above_the_maximum)
{
	/* The middle of the bucket 1024..1151 is 1088; of the first, 512. */
	EXPECT_EQ(1030u, Sample({1024, 1030}).estimate(50));
	EXPECT_EQ(3u, Sample({3}).estimate(50));
	EXPECT_EQ(0u, Sample({0, 0}).estimate(99));
}

TEST(percentile, beyond_the_last_bucket_is_the_maximum)
{
	EXPECT_EQ(100000000000u, Sample({100000000000}).estimate(50));
}

TEST(percentile, unknown)
{
	Sample none({}), some({5000}), unknown({5000});
	uint64_t ns = 42;

	EXPECT_EQ(-ENODATA, iscsi_percentile(&none.stats, STAGE_TOTAL, 50, &ns));
	EXPECT_EQ(-ENODATA, iscsi_percentile(&some.stats, STAGE_BLOCK, 50, &ns));
	EXPECT_EQ(-ENODATA, iscsi_percentile(&some.stats, STAGE_COUNT, 50, &ns));
	for (double percent : {0.0, -1.0, 100.1, std::nan("")})
		EXPECT_EQ(-ENODATA, iscsi_percentile(&some.stats, STAGE_TOTAL, percent, &ns));
	unknown.stats.stages[STAGE_TOTAL].known = false;
	EXPECT_EQ(-ENODATA, iscsi_percentile(&unknown.stats, STAGE_TOTAL, 50, &ns));
	some.stats.hists = nullptr;
	EXPECT_EQ(-ENODATA, iscsi_percentile(&some.stats, STAGE_TOTAL, 50, &ns));
	EXPECT_EQ(42u, ns);
}

/* Stages 1, 2, 3, ... 9 ns; the total is their sum, 45. */
struct sums make_sums(uint64_t ios)
{
	struct sums s = {};

	s.ios = ios;
	s.good = ios - 2;
	s.status_errors = 1;
	s.host_errors = 1;
	for (uint64_t i = 0; i < STAGE_TOTAL; i++)
		s.stage[i].sum_ns = i + 1;
	s.stage[STAGE_TOTAL].sum_ns = 45;
	return s;
}

TEST(sums, consistent)
{
	struct sums s = make_sums(10), zero = {};

	EXPECT_TRUE(sums_consistent(&s));
	EXPECT_TRUE(sums_consistent(&zero));
}

TEST(sums, torn)
{
	for (int i = 0; i < STAGE_COUNT; i++) {
		struct sums s = make_sums(10);

		s.stage[i].sum_ns++;
		EXPECT_FALSE(sums_consistent(&s)) << i;
	}
	for (auto counter : {&sums::ios, &sums::good, &sums::status_errors, &sums::host_errors}) {
		struct sums s = make_sums(10);

		(s.*counter)++;
		EXPECT_FALSE(sums_consistent(&s));
	}
}

/* As words: 15 counters, then pairs of sum and maximum, then maxima; all differ from each other. */
TEST(sums, add_every_member)
{
	const size_t words = sizeof(struct sums) / sizeof(uint64_t);
	const size_t stages = 15, phases = stages + 2 * STAGE_COUNT;
	struct sums a, b;
	uint64_t *to = reinterpret_cast<uint64_t *>(&a);
	uint64_t *from = reinterpret_cast<uint64_t *>(&b);

	for (size_t i = 0; i < words; i++) {
		to[i] = 1000 + i;
		from[i] = i % 4 < 2 ? 5000 + i : i;
	}
	sums_add(&a, &b);
	for (size_t i = 0; i < words; i++) {
		bool maximum = i >= phases || (i >= stages && (i - stages) % 2);
		uint64_t before = 1000 + i;

		EXPECT_EQ(maximum ? std::max(before, from[i]) : before + from[i], to[i]) << i;
	}
}

TEST(stats, names)
{
	EXPECT_STREQ("block", iscsi_stage_name(STAGE_BLOCK));
	EXPECT_STREQ("data_out", iscsi_stage_name(STAGE_DATA_OUT));
	EXPECT_STREQ("total", iscsi_stage_name(STAGE_TOTAL));
	EXPECT_EQ(nullptr, iscsi_stage_name(STAGE_COUNT));
	EXPECT_STREQ("other", iscsi_op_name(OP_OTHER));
	EXPECT_STREQ("all", iscsi_op_name(OP_COUNT));
	EXPECT_EQ(nullptr, iscsi_op_name(OP_COUNT + 1));
	EXPECT_STREQ("all", iscsi_size_class_name(SIZE_ALL));
	EXPECT_STREQ(">1M", iscsi_size_class_name(SIZE_MORE));
	EXPECT_EQ(nullptr, iscsi_size_class_name(SIZE_COUNT));
	EXPECT_STREQ("map_full", loss_name(LOSS_MAP_FULL));
	EXPECT_STREQ("probe_misses", loss_name(LOSS_PROBE_MISSES));
	EXPECT_STREQ("event_full", loss_name(LOSS_EVENT_FULL));
	for (int i = 0; i < LOSS_COUNT; i++)
		EXPECT_NE(nullptr, loss_name(static_cast<enum iscsi_loss>(i)));
	EXPECT_EQ(nullptr, loss_name(LOSS_COUNT));
}

/* Powers of ten tell the stages apart: digit n of a sum is stage n. */
TEST(stats, shares)
{
	struct iscsi_stats stats = {};
	uint64_t ns = 1;

	for (int i = 0; i < STAGE_TOTAL; i++, ns *= 10)
		stats.stages[i].sum_ns = ns;
	stats.stages[STAGE_TOTAL].sum_ns = 111111111;
	EXPECT_EQ(100101101u, iscsi_host_ns(&stats));
	EXPECT_EQ(11010010u, iscsi_target_net_ns(&stats));
	EXPECT_EQ(STAGE_COUNT, iscsi_worst_stage(&stats));
	stats.count = 1;
	EXPECT_EQ(STAGE_DONE, iscsi_worst_stage(&stats));
	stats.stages[STAGE_BUSY].sum_ns = 200000000;
	EXPECT_EQ(STAGE_BUSY, iscsi_worst_stage(&stats));
}

TEST(options, process)
{
	struct options *o = options_process();

	EXPECT_EQ(o, options_process());
	EXPECT_EQ(static_cast<uint32_t>(BY_DEFAULT), o->by);
	EXPECT_EQ(1000000000u, o->interval_ns);
	EXPECT_EQ(static_cast<uint32_t>(OPTIONS_MAX_KEYS), o->max_keys);
	options_deinit(nullptr);
}

template <typename Say> std::string said(Say say)
{
	testing::internal::CaptureStderr();
	say();
	return testing::internal::GetCapturedStderr();
}

TEST(log, levels)
{
	auto all = [] {
		log_error("e %d", 1);
		log_hint("he");
		log_warn("w");
		log_hint("hw");
		log_note("n");
		log_detail("d");
		log_hint("hd");
	};
	const std::string error = "storprototrace: e 1\nhint: he\n";
	const std::string rest = "storprototrace: w\nhint: hw\nstorprototrace: n\n";

	log_setup(0, false);
	EXPECT_EQ(error + rest, said(all));
	log_setup(1, false);
	EXPECT_EQ(error + rest + "storprototrace: d\nhint: hd\n", said(all));
	EXPECT_TRUE(log_verbose(1));
	EXPECT_FALSE(log_verbose(2));
	log_setup(0, true);
	EXPECT_EQ(error, said(all));
	log_setup(0, false);
}

TEST(log, control_characters_do_not_reach_the_terminal)
{
	/* escape, newline, DEL, C1 (U+009B), a stray byte; letters beyond ASCII stay. */
	EXPECT_EQ("storprototrace: a\\x1b[2Jb\\x0ac\\x7f\\xc2\\x9b\\xffd \xc3\xa9\xe2\x82\xac\n",
		  said([] {
			  log_error("%s", "a\x1b[2J"
					  "b\nc\x7f\xc2\x9b\xff"
					  "d \xc3\xa9\xe2\x82\xac");
		  }));
	EXPECT_EQ("storprototrace: cut \\xe2\\x82\n", said([] { log_error("cut \xe2\x82"); }));
	EXPECT_EQ("storprototrace: end\n", said([] { log_error("end\n"); }));
}

TEST(log, details_keep_their_lines)
{
	log_setup(2, false);
	EXPECT_EQ("storprototrace: a\n\tb\\x1b\n", said([] { log_detail("a\n\tb\x1b\n"); }));
	log_setup(0, false);
}

} /* namespace */
