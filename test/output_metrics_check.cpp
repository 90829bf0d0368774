/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What monitoring scrapes: expositions for Prometheus and OpenMetrics, files replaced whole. */
#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <set>
#include <sstream>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common_host.h"
#include "output/field.h"
#include "output/metrics.h"
#include "output/printer.h"
#include "output/text.h"
#include "output/whole_file.h"

namespace
{

class Metrics : public Host
{
      protected:
	struct options o_;

	void SetUp() override
	{
		options_init(&o_);
		o_.format = FORMAT_PROMETHEUS;
	}

	std::string print()
	{
		struct printer *printer = nullptr;
		char *text = nullptr;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		counts(o_.by, o_.hide_idle);
		EXPECT_EQ(0, printer_open(&o_, out, &printer));
		EXPECT_EQ(0, printer_interval(printer, &r, &records));
		printer_close(printer);
		fclose(out);
		std::string printed(text, size);
		free(text);
		return printed;
	}

	/* The value behind a sample as it is written; "absent". */
	static std::string value(const std::string &text, const std::string &sample)
	{
		size_t at = ("\n" + text).find("\n" + sample + " ");

		if (at == std::string::npos)
			return "absent";
		return text.substr(at + sample.size() + 1,
				   text.find('\n', at) - at - sample.size() - 1);
	}

	/* Lines that begin so. */
	static size_t lines(const std::string &text, const std::string &begin)
	{
		std::istringstream in(text);
		size_t count = 0;

		for (std::string line; std::getline(in, line);)
			count += line.compare(0, begin.size(), begin) == 0;
		return count;
	}
};

TEST_F(Metrics, counters_by_target)
{
	o_.by = BY_TARGET;
	r.loss[LOSS_TORN] = 1009;
	r.loss[LOSS_PROBE_MISSES] = LOSS_UNKNOWN;
	std::string text = print(), long_name = "target=\"" + LONGEST + "\"";
	for (auto [sample, expected] :
	     {std::pair<std::string, const char *>{"commands_total{target=\"iqn.one\"}", "150"},
	      {"commands_total{" + long_name + "}", "0"},
	      {"command_pdus_total{target=\"iqn.one\"}", "150"},
	      {"transferred_bytes_total{target=\"iqn.one\"}", "614400"},
	      {"reads_total{target=\"iqn.one\"}", "50"},
	      {"writes_total{target=\"iqn.one\"}", "20"},
	      {"other_commands_total{target=\"iqn.one\"}", "80"},
	      {"read_bytes_total{target=\"iqn.one\"}", "204800"},
	      {"written_bytes_total{target=\"iqn.one\"}", "81920"},
	      {"commands_inflight{target=\"iqn.one\"}", "5"},
	      {"losses_total{loss=\"torn\"}", "1009"},
	      {"losses_total{loss=\"stale\"}", "0"},
	      {"losses_total{loss=\"probe_misses\"}", "absent"},
	      {"interval_end_timestamp_seconds", "0.000003"},
	      {"command_duration_seconds_sum{target=\"iqn.one\"}", "0.00675"},
	      {"command_duration_seconds_count{target=\"iqn.one\"}", "150"},
	      {"stage_duration_seconds_sum{target=\"iqn.one\",stage=\"done\"}", "0.00135"}})
		EXPECT_EQ(expected, value(text, "storprototrace_" + sample)) << sample;
}

TEST_F(Metrics, every_family_has_one_head_with_help)
{
	for (enum output_format format : {FORMAT_PROMETHEUS, FORMAT_OPENMETRICS}) {
		o_.format = format;
		o_.by = BY_SID | BY_LUN | BY_OP;
		std::istringstream in(print());
		std::set<std::string> helped, typed;
		std::string hash, kind, name, rest;

		for (std::string line; std::getline(in, line);) {
			std::istringstream words(line);

			if (line[0] != '#' || line == "# EOF")
				continue;
			words >> hash >> kind >> name >> rest;
			EXPECT_EQ(0u, name.find("storprototrace_")) << line;
			EXPECT_NE("", rest) << line;
			if (kind == "HELP") {
				EXPECT_TRUE(helped.insert(name).second) << line;
			}
			if (kind == "TYPE") {
				EXPECT_TRUE(typed.insert(name).second) << line;
			}
			if (kind == "TYPE" && rest == "counter") {
				EXPECT_EQ(format == FORMAT_PROMETHEUS,
					  name.size() > 6 &&
						  name.substr(name.size() - 6) == "_total")
					<< line;
			}
		}
		EXPECT_EQ(helped, typed);
		EXPECT_LT(20u, helped.size());
	}
}

TEST_F(Metrics, names_and_help_need_no_escapes)
{
	std::set<std::string> names;
	const struct field_metric *last = nullptr;

	for (size_t i = 0; i < field_count; i++) {
		const struct field_metric *metric = fields[i].metric;
		std::string unit = metric ? metric->unit : "";

		if (!metric || metric == last)
			continue;
		last = metric;
		std::string name = metric->name;
		EXPECT_TRUE(names.insert(name).second) << name;
		EXPECT_EQ(std::string::npos,
			  name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"));
		EXPECT_EQ(nullptr, strpbrk(metric->help, "\\\n\"")) << name;
		/* OpenMetrics: the name ends with the unit. */
		EXPECT_TRUE(unit.empty() || (name.size() > unit.size() &&
					     name.substr(name.size() - unit.size()) == unit))
			<< name;
	}
}

TEST_F(Metrics, openmetrics_ends_with_eof)
{
	std::string text = print();

	EXPECT_EQ(0u, lines(text, "# EOF"));
	EXPECT_EQ(0u, lines(text, "# UNIT"));
	o_.format = FORMAT_OPENMETRICS;
	text = print();
	EXPECT_EQ(text.size() - 6, text.find("# EOF\n"));
	EXPECT_EQ(1u, lines(text, "# UNIT storprototrace_command_duration_seconds seconds"));
	EXPECT_EQ(1u, lines(text, "# TYPE storprototrace_commands counter"));
	EXPECT_EQ(4u, lines(text, "storprototrace_commands_total{"));
}

TEST_F(Metrics, unknown_stages_are_left_out)
{
	o_.by = BY_TARGET;
	r.stages_known &= ~(1U << STAGE_R2T);
	for (size_t i = 0; i < r.row_count; i++)
		r.rows[i].sums.no_block = r.rows[i].sums.ios;
	std::string text = print();
	EXPECT_EQ(0u, text.find("stage=\"r2t\"") + 1);
	EXPECT_EQ("0", value(text, "storprototrace_stage_duration_seconds_count{target=\"iqn.one\","
				   "stage=\"block\"}"));
}

/* The number of commands of these times that are counted as not longer than `le_ns`. */
uint64_t within(const std::vector<uint64_t> &times_ns, uint64_t le_ns)
{
	return std::count_if(times_ns.begin(), times_ns.end(),
			     [le_ns](uint64_t ns) { return ns <= le_ns; });
}

TEST_F(Metrics, buckets_are_exact)
{
	std::vector<uint64_t> times_ns = {0, 1, 1023, 1024, 8191, 8192, 8193, UINT64_MAX};
	auto stats = std::make_unique<struct iscsi_stats>();
	auto hists = std::make_unique<struct iscsi_hists>();
	char *text = nullptr, le[METRICS_SECONDS_SIZE];
	size_t size = 0;

	/* Around every end of a bucket that there is. */
	for (uint32_t bucket = 1; bucket < LAT_HIST_BUCKETS; bucket++)
		for (uint64_t near : {0, 1, 2})
			times_ns.push_back(lat_hist_low_ns(bucket) - 1 + near);
	memset(stats.get(), 0, sizeof(*stats));
	memset(hists.get(), 0, sizeof(*hists));
	stats->hists = hists.get();
	for (uint64_t ns : times_ns)
		hists->bucket[STAGE_TARGET][lat_hist_bucket(ns)]++;
	stats->stages[STAGE_TARGET].known = true;
	stats->stages[STAGE_TARGET].count = times_ns.size();
	FILE *out = open_memstream(&text, &size);
	EXPECT_EQ(0, metrics_histogram(stats.get(), STAGE_TARGET, "x", "", out));
	fclose(out);
	EXPECT_EQ(35u - 13 + 1 + 1, lines(text, "x_bucket{"));
	for (int shift = 13; shift <= 35; shift++) {
		uint64_t end_ns = (1ULL << shift) - 1;

		metrics_seconds(end_ns, le);
		EXPECT_EQ(std::to_string(within(times_ns, end_ns)),
			  value(text, "x_bucket{le=\"" + std::string(le) + "\"}"));
	}
	EXPECT_EQ(std::to_string(times_ns.size()), value(text, "x_bucket{le=\"+Inf\"}"));
	EXPECT_EQ(std::to_string(times_ns.size()), value(text, "x_count{}"));
	free(text);
}

TEST_F(Hists, are_whole_or_not_there)
{
	char *text = nullptr;
	size_t size = 0;

	fill(true);
	counts(BY_TARGET);
	/* One command of session 2 was not collected so finely. */
	for (int missing : {0, 1}) {
		FILE *out = open_memstream(&text, &size);

		records.records[0].stages[STAGE_TOTAL].count += missing;
		EXPECT_EQ(0,
			  metrics_histogram(&records.records[0], STAGE_TOTAL, "x", "a=\"b\"", out));
		fclose(out);
		std::string printed(text, size);
		free(text);
		EXPECT_EQ(missing, printed.find("x_bucket{a=\"b\",le=\"0.000065535\"} 150\n") ==
					   std::string::npos);
		EXPECT_NE(std::string::npos, printed.find("x_bucket{a=\"b\",le=\"+Inf\"} " +
							  std::to_string(150 + missing) + "\n"));
		EXPECT_NE(std::string::npos, printed.find("x_sum{a=\"b\"} 0.00675\n"));
	}
}

TEST_F(Metrics, labels_are_escaped)
{
	for (auto [name, label] : {std::pair<const char *, const char *>{"a\"b", "a\\\"b"},
				   {"a\\b", "a\\\\b"},
				   {"a\nb", "a\\nb"},
				   {"\\n", "\\\\n"},
				   {"\x1b[31m\r\t", "\\\\x1b[31m\\\\x0d\\\\x09"},
				   {"caf\xc3\xa9 {}=,", "caf\xc3\xa9 {}=,"},
				   {"\xff\xc2\x9b", "\\\\xff\\\\xc2\\\\x9b"}}) {
		strcpy(reading_session(&r, 4)->target, name);
		counts(BY_SID);
		for (size_t i = 0; i < records.count; i++) {
			if (records.records[i].sid != 4)
				continue;
			char *labels = metrics_labels(&records.records[i]);
			EXPECT_EQ("sid=\"4\",cid=\"0\",target=\"" + std::string(label) +
					  "\",initiator=\"iqn.host\",portal=\"10.0.0.4:3260\"",
				  labels);
			free(labels);
		}
	}
}

TEST_F(Metrics, what_is_not_known_has_no_label)
{
	counts(BY_MPATH);
	for (size_t i = 0; i < records.count; i++) {
		char *labels = metrics_labels(&records.records[i]);

		EXPECT_STREQ(records.records[i].mpath[0] ? "mpath=\"mpatha\"" : "", labels);
		free(labels);
	}
	o_.by = BY_MPATH;
	EXPECT_EQ("80", value(print(), "storprototrace_commands_total{}"));
}

TEST(metrics, seconds)
{
	char text[METRICS_SECONDS_SIZE];

	for (auto [ns, expected] : {std::pair<uint64_t, const char *>{0, "0"},
				    {1, "0.000000001"},
				    {8191, "0.000008191"},
				    {1500000000, "1.5"},
				    {10000000000, "10"},
				    {UINT64_MAX, "18446744073.709551615"}}) {
		metrics_seconds(ns, text);
		EXPECT_STREQ(expected, text);
	}
}

/* A folder with what is replaced in it. */
class WholeFile : public testing::Test
{
      protected:
	char folder_[32] = "/tmp/whole_file.XXXXXX";
	std::string path_;
	struct whole_file file_ = {};

	void SetUp() override
	{
		ASSERT_NE(nullptr, mkdtemp(folder_));
		path_ = std::string(folder_) + "/metrics.prom";
	}

	void TearDown() override
	{
		whole_file_deinit(&file_);
		EXPECT_EQ(0, system(("rm -r " + std::string(folder_)).c_str()));
	}

	/* Puts it there; 0 or -errno. */
	int put(const std::string &text, int given = 0)
	{
		FILE *out;
		int err = whole_file_begin(&file_, &out);

		if (err)
			return err;
		fputs(text.c_str(), out);
		return whole_file_end(&file_, out, given);
	}

	std::string content()
	{
		FILE *in = fopen(path_.c_str(), "r");
		char text[64] = "";

		if (!in)
			return "absent";
		text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
		fclose(in);
		return text;
	}

	mode_t mode()
	{
		struct stat status;

		return stat(path_.c_str(), &status) ? 0 : status.st_mode & 0777;
	}
};

TEST_F(WholeFile, is_replaced)
{
	mode_t before = umask(027);

	ASSERT_EQ(0, whole_file_init(&file_, path_.c_str()));
	EXPECT_EQ("absent", content());
	EXPECT_EQ(0, put("one"));
	EXPECT_EQ("one", content());
	EXPECT_EQ(0640u, mode());
	/* Who reads it is the administrator's to say. */
	chmod(path_.c_str(), 0604);
	EXPECT_EQ(0, put("two"));
	EXPECT_EQ("two", content());
	EXPECT_EQ(0604u, mode());
	umask(before);
	EXPECT_NE(0, access(file_.beside, F_OK));
	if (geteuid() != 0)
		return;
	struct stat status;
	ASSERT_EQ(0, chown(path_.c_str(), 65534, 65533));
	EXPECT_EQ(0, put("three"));
	ASSERT_EQ(0, stat(path_.c_str(), &status));
	EXPECT_EQ(65534u, status.st_uid);
	EXPECT_EQ(65533u, status.st_gid);
	EXPECT_EQ(0604u, mode());
}

TEST_F(WholeFile, stays_when_writing_failed)
{
	ASSERT_EQ(0, whole_file_init(&file_, path_.c_str()));
	EXPECT_EQ(0, put("one"));
	EXPECT_EQ(-ENOSPC, put("tw", -ENOSPC));
	EXPECT_EQ("one", content());
	EXPECT_NE(0, access(file_.beside, F_OK));
}

TEST_F(WholeFile, links_are_followed_but_not_beside)
{
	std::string link = path_ + ".link", victim = std::string(folder_) + "/victim";

	ASSERT_EQ(0, symlink("metrics.prom", link.c_str()));
	ASSERT_EQ(0, close(creat(path_.c_str(), 0644)));
	ASSERT_EQ(0, whole_file_init(&file_, link.c_str()));
	ASSERT_EQ(0, symlink(victim.c_str(), file_.beside));
	EXPECT_EQ(0, put("one"));
	EXPECT_EQ("one", content());
	EXPECT_NE(0, access(victim.c_str(), F_OK));
}

TEST_F(WholeFile, devices_and_absent_folders)
{
	EXPECT_FALSE(whole_file_possible("/dev/null"));
	EXPECT_FALSE(whole_file_possible("/dev/stdout"));
	EXPECT_FALSE(whole_file_possible("/proc/self/fd/1"));
	EXPECT_TRUE(whole_file_possible(path_.c_str()));
	EXPECT_EQ(-ENOENT, whole_file_init(&file_, "/no/such/folder/metrics.prom"));
	whole_file_deinit(&file_);
	whole_file_deinit(&file_);
}

} // namespace
