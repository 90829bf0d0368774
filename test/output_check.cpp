/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is printed: tables, JSON lines, print_stats() and the filters as handlers, failures of
 * writing. */
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>
#include <fcntl.h>
#include <json-c/json.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gtest/gtest.h>
#include "common/group.h"
#include "common/options.h"
#include "output/columns.h"
#include "output/print_stats.h"
#include "output/printer.h"
#include "output/text.h"

namespace
{

const uint64_t MS = 1000000;
/* 2026-11-29T12:00:00.250Z */
const uint64_t START_NS = 1795953600250000000;

/* A reading of one second, with what the tests put into it, and the options it is printed with. */
class Output : public testing::Test
{
      protected:
	struct reading r_;
	struct options o_;

	void SetUp() override
	{
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("TZ", "CET-1", 1);
		reading_init(&r_);
		options_init(&o_);
		r_.number = 1;
		r_.start_ns = START_NS;
		r_.length_ns = 1000 * MS;
		r_.stages_known = STAGES_ALL_KNOWN;
	}

	void TearDown() override
	{
		reading_deinit(&r_);
		options_deinit(&o_);
	}

	void session(uint32_t sid, const std::string &target)
	{
		struct session_name *s = reading_session(&r_, sid);

		strncpy(s->target, target.c_str(), sizeof(s->target) - 1);
		strcpy(s->initiator, "iqn.1993-08.org.debian:01:abc");
		strcpy(s->portal, "10.0.0.5:3260");
		strcpy(reading_lun(&r_, sid, 0)->disk, "sda");
	}

	struct sums *sums(uint32_t sid, enum iscsi_op op = OP_READ)
	{
		struct sums_key key = {sid, 0, 0, static_cast<uint8_t>(op), SIZE_ALL, {}};

		return &reading_row(&r_, &key)->sums;
	}

	uint64_t *buckets(uint32_t sid, enum iscsi_op op = OP_READ)
	{
		struct sums_key key = {sid, 0, 0, static_cast<uint8_t>(op), SIZE_ALL, {}};

		r_.hists_by_lun = true;
		return reading_hist(&r_, &key)->bucket[STAGE_TOTAL];
	}

	/* `ios` good commands of 4 KiB, each `queue_ns` in queue and `target_ns` in target. */
	void commands(uint32_t sid, uint64_t ios, uint64_t queue_ns, uint64_t target_ns)
	{
		struct sums *s = sums(sid);
		uint64_t total_ns = queue_ns + target_ns;

		s->ios = s->good = s->pdus = ios;
		s->bytes = ios * 4096;
		s->stage[STAGE_QUEUE] = {ios * queue_ns, queue_ns};
		s->stage[STAGE_TARGET] = {ios * target_ns, target_ns};
		s->stage[STAGE_TOTAL] = {ios * total_ns, total_ns};
		buckets(sid)[lat_hist_bucket(total_ns)] = ios;
	}

	/* Prints the reading `times` times; 0 or the first -errno. */
	int print_to(FILE *out, int times = 1)
	{
		struct printer *printer = nullptr;
		struct records records = {};
		int err = printer_open(&o_, out, &printer);

		EXPECT_EQ(0, group_reading(&r_, &o_.filter, o_.by, o_.hide_idle, &records));
		for (int i = 0; i < times && !err; i++)
			err = printer_interval(printer, &r_, &records);
		records_deinit(&records);
		printer_close(printer);
		return err;
	}

	std::string print(int times = 1)
	{
		char *text = nullptr;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		EXPECT_EQ(0, print_to(out, times));
		fclose(out);
		std::string printed(text, size);
		free(text);
		return printed;
	}
};

std::vector<std::string> lines_of(const std::string &text)
{
	std::vector<std::string> lines;
	std::istringstream in(text);

	for (std::string line; std::getline(in, line);)
		lines.push_back(line);
	return lines;
}

std::vector<std::string> words_of(const std::string &line)
{
	std::istringstream in(line);
	std::vector<std::string> words;

	for (std::string word; in >> word;)
		words.push_back(word);
	return words;
}

size_t width_of(const std::string &line)
{
	/* Characters, not bytes: "…" is the only one that is longer. */
	return std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
}

int headers_in(const std::string &text)
{
	std::vector<std::string> lines = lines_of(text);

	return static_cast<int>(std::count_if(lines.begin(), lines.end(), [](const auto &line) {
		return line.find("TARGET") != std::string::npos;
	}));
}

/* The cell of a table's row under that heading. */
std::string cell(const std::string &table, size_t row, const std::string &heading)
{
	std::vector<std::string> names = words_of(lines_of(table).at(0));
	auto at = std::find(names.begin(), names.end(), heading);

	EXPECT_NE(names.end(), at) << heading;
	return words_of(lines_of(table).at(row)).at(at - names.begin());
}

TEST(field, names_are_unique_and_fit)
{
	std::set<std::string> names, json;

	for (size_t i = 0; i < field_count; i++) {
		EXPECT_TRUE(names.insert(fields[i].name).second) << fields[i].name;
		EXPECT_LE(strlen(fields[i].name), static_cast<size_t>(fields[i].width));
		EXPECT_NE('\0', fields[i].help[0]);
		EXPECT_TRUE(!fields[i].json || json.insert(fields[i].json).second);
	}
	EXPECT_EQ(nullptr, field_find("nothing"));
}

TEST(field, percent_text)
{
	char text[16];

	for (auto [percent, expected] : {std::pair<double, const char *>{50, "50"},
					 {99.9, "99_9"},
					 {99.95, "99_95"},
					 {100, "100"},
					 {0.5, "0_5"},
					 {99.999, "99_999"},
					 {10, "10"}}) {
		field_percent_text(percent, '_', text, sizeof(text));
		EXPECT_STREQ(expected, text);
	}
}

TEST(field, three_significant_digits)
{
	struct iscsi_stats stats = {};
	char text[FIELD_TEXT_SIZE];

	stats.stages[STAGE_TOTAL].known = true;
	stats.stages[STAGE_TOTAL].count = 1;
	for (auto [ns, expected] : {std::pair<uint64_t, const char *>{0, "0"},
				    {1, "0.000001"},
				    {250, "0.000250"},
				    {1234, "0.00123"},
				    {12345, "0.0123"},
				    {123456, "0.123"},
				    {999499, "0.999"},
				    {999500, "1.00"},
				    {1234567, "1.23"},
				    {9994999, "9.99"},
				    {9996000, "10.0"},
				    {99949999, "99.9"},
				    {99960000, "100"},
				    {1234567890, "1235"},
				    {600000000000, "600000"}}) {
		stats.stages[STAGE_TOTAL].sum_ns = ns;
		field_text(field_find("avg"), &stats, text);
		EXPECT_STREQ(expected, text) << ns;
	}
	stats.stages[STAGE_TOTAL].known = false;
	field_text(field_find("avg"), &stats, text);
	EXPECT_STREQ("-", text);
}

TEST(field, two_decimals_are_enough_for_rates)
{
	struct iscsi_stats stats = {};
	char text[FIELD_TEXT_SIZE];

	for (auto [seconds, expected] : {std::pair<uint64_t, const char *>{1, "7.00"},
					 {7, "1.00"},
					 {70, "0.10"},
					 {10000, "0.00"}}) {
		stats.ops[OP_READ].ios = 7;
		stats.interval_ns = seconds * 1000 * MS;
		field_text(field_find("r/s"), &stats, text);
		EXPECT_STREQ(expected, text) << seconds;
	}
	stats.interval_ns = 0;
	field_text(field_find("r/s"), &stats, text);
	EXPECT_STREQ("-", text);
}

TEST(text, is_utf8)
{
	for (const char *good :
	     {"a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf",
	      "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
		EXPECT_EQ(strlen(good), text_utf8_length(good)) << good;
	for (const char *bad : {"", "\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2g", "\xe0\x9f\xbf",
				"\xe2\x82", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80",
				"\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
		EXPECT_EQ(0u, text_utf8_length(bad)) << bad;
}

TEST_F(Output, default_table)
{
	session(1, "iqn.2026-11.com.example:disk0");
	commands(1, 1009, 500000, 1500000);
	struct sums *writes = sums(1, OP_WRITE);
	writes->ios = writes->good = 1009;
	writes->bytes = 1009 * 8192;
	writes->stage[STAGE_TARGET] = writes->stage[STAGE_TOTAL] = {1009 * 4 * MS, 40 * MS};
	buckets(1, OP_WRITE)[lat_hist_bucket(4 * MS)] = 1009;
	/* 1009 x 2 ms + 1009 x 4 ms in 1 s; the bucket of 4 ms is 3.932160 .. 4.194304 ms. */
	EXPECT_EQ(
		"SID TARGET                  r/s   w/s rMB/s wMB/s  aqu    avg    p99    max host "
		"target+net WORST\n"
		"  1 iqn.20….example:disk0  1009  1009  4.13  8.27 6.05   3.00   4.06   40.0   8% "
		"       92% target\n",
		print());
}

TEST_F(Output, idle_and_empty)
{
	EXPECT_EQ("SID TARGET   r/s   w/s rMB/s wMB/s  aqu    avg    p99    max host target+net "
		  "WORST\n",
		  print());
	session(1, "iqn.x:idle");
	std::string table = print();
	EXPECT_EQ((std::vector<std::string>{"1", "iqn.x:idle", "0", "0", "0", "0", "0", "-", "-",
					    "-", "-", "-", "-"}),
		  words_of(lines_of(table).at(1)));
}

TEST_F(Output, last_row_for_all)
{
	session(1, "iqn.x:a");
	session(2, "iqn.x:b");
	commands(1, 100, 1 * MS, 0);
	commands(2, 300, 0, 5 * MS);
	std::string table = print();
	ASSERT_EQ(4u, lines_of(table).size());
	EXPECT_EQ("all", cell(table, 3, "SID"));
	EXPECT_EQ("-", cell(table, 3, "TARGET"));
	EXPECT_EQ("400", cell(table, 3, "r/s"));
	EXPECT_EQ("4.00", cell(table, 3, "avg"));
	EXPECT_EQ("5.00", cell(table, 3, "max"));
	EXPECT_EQ("1.60", cell(table, 3, "aqu"));
	EXPECT_EQ("6%", cell(table, 3, "host"));
	EXPECT_EQ("target", cell(table, 3, "WORST"));
	reading_deinit(&r_);
	SetUp();
	session(1, "iqn.x:a");
	EXPECT_EQ(2u, lines_of(print()).size());
}

TEST_F(Output, shares_add_up_to_100)
{
	session(1, "iqn.x:a");
	for (uint64_t host = 0; host <= 1000; host++) {
		commands(1, 7, host, 1000 - host);
		std::string table = print();
		int sum = atoi(cell(table, 1, "host").c_str()) +
			  atoi(cell(table, 1, "target+net").c_str());
		ASSERT_EQ(100, sum) << table;
	}
}

TEST_F(Output, longest_names_fit_100_columns)
{
	std::string name = "iqn.2026-11.com.example." + std::string(190, 'x') + ":disk9999";

	ASSERT_EQ(223u, name.size());
	session(9999, name);
	commands(9999, 999999, 100 * MS, 499900 * MS);
	session(2, "iqn.x:short");
	for (const char *locale : {"C", "C.UTF-8", "xx_nowhere"}) {
		setenv("LC_ALL", locale, 1);
		std::string table = print();
		for (const std::string &line : lines_of(table))
			EXPECT_LE(width_of(line), 100u) << line;
		bool utf8 = strcmp(locale, "C.UTF-8") == 0;
		EXPECT_EQ(utf8, table.find("…") != std::string::npos) << table;
		EXPECT_EQ(!utf8, table.find("..") != std::string::npos) << table;
		EXPECT_NE(std::string::npos, table.find("disk9999 ")) << table;
		EXPECT_NE(std::string::npos, table.find(" iqn")) << table;
		EXPECT_NE(std::string::npos, table.find(" iqn.x:short ")) << table;
	}
}

TEST_F(Output, names_never_reach_a_terminal_raw)
{
	const std::string hostile = "iqn\x1b[31m\x07\r\n\t\x7f \xff\xc2\x9b\xe2\x80\xae_\xc3\xa9";

	session(1, hostile);
	o_.by = BY_TARGET;
	o_.extended = true;
	for (const char *locale : {"C", "C.UTF-8"}) {
		setenv("LC_ALL", locale, 1);
		session(1, hostile.substr(0, 8));
		EXPECT_NE(std::string::npos, print().find("iqn\\x1b[31m")) << print();
		for (size_t i = 0; i < hostile.size(); i++) {
			session(1, hostile.substr(i, 3));
			std::string table = print();
			for (unsigned char c : table)
				EXPECT_TRUE((c >= 0x20 && c != 0x7f) || c == '\n') << table;
			EXPECT_EQ(std::string::npos, table.find("\xc2\x9b"));
			EXPECT_EQ(std::string::npos, table.find("\xe2\x80\xae"));
			EXPECT_EQ(words_of(lines_of(table)[0]).size(),
				  words_of(lines_of(table)[1]).size());
		}
	}
	session(1, "caf\xc3\xa9");
	EXPECT_NE(std::string::npos, print().find("caf\xc3\xa9"));
	setenv("LC_ALL", "C", 1);
	EXPECT_NE(std::string::npos, print().find("caf\\xc3\\xa9"));
}

TEST_F(Output, columns_follow_the_options)
{
	auto columns = std::make_unique<struct columns>();
	auto count = [&](uint32_t by) {
		columns_init(columns.get(), by, &o_);
		return columns->count;
	};

	EXPECT_EQ(13u, count(BY_DEFAULT));
	EXPECT_EQ(13u, count(BY_SID));
	EXPECT_EQ(12u, count(BY_TARGET));
	EXPECT_EQ(16u, count(BY_SID | BY_CID | BY_LUN));
	EXPECT_STREQ("CID", columns->column[1].field.name);
	EXPECT_STREQ("DISK", columns->column[4].field.name);
	EXPECT_EQ(13u, count(BY_OP | BY_SIZE));
	o_.extended = true;
	EXPECT_EQ(13u + 9 + 9, count(BY_DEFAULT));
	o_.percentile_count = PERCENTILES_MAX;
	for (double &percentile : o_.percentiles)
		percentile = 99.999;
	EXPECT_EQ(12u + 8 + 9 * 9 + 9, count(BY_DEFAULT));
	EXPECT_EQ(20u + 8 + 9 * 9 + 10, count((BY_SIZE << 1) - 1));
}

TEST_F(Output, percentiles_replace_p99)
{
	session(1, "iqn.x:a");
	commands(1, 99, 0, 2 * MS);
	sums(1)->stage[STAGE_TOTAL].max_ns = 60 * MS;
	buckets(1)[lat_hist_bucket(60 * MS)] = 1;
	o_.percentiles[0] = 50;
	o_.percentiles[1] = 99.95;
	o_.percentile_count = 2;
	std::string table = print();
	EXPECT_EQ("2.03", cell(table, 1, "p50"));
	EXPECT_EQ("60.0", cell(table, 1, "p99.95"));
	EXPECT_EQ(std::string::npos, table.find("p99 "));
	o_.extended = true;
	EXPECT_EQ("-", cell(print(), 1, "data_out:p99.95"));
}

TEST_F(Output, stages_and_fates_with_x)
{
	session(1, "iqn.x:a");
	commands(1, 10, 3 * MS, 5 * MS);
	struct sums *s = sums(1);
	s->good = 4;
	s->status_errors = 1;
	s->host_errors = 5;
	s->no_block = 10;
	s->refused = 11;
	s->retries = 13;
	s->aborted = 17;
	s->disrupted = 19;
	r_.stages_known &= ~(1U << STAGE_SEND);
	r_.rows[0].inflight = 23;
	r_.rows[0].stages[STAGE_TARGET] = {23, 4500 * MS};
	o_.extended = true;
	std::string table = print();
	for (auto [heading, value] : {std::pair<const char *, const char *>{"queue", "3.00"},
				      {"target", "5.00"},
				      {"block", "-"},
				      {"send", "-"},
				      {"done", "0"},
				      {"errors", "6"},
				      {"refused", "11"},
				      {"retries", "13"},
				      {"aborted", "17"},
				      {"disrupted", "19"},
				      {"infl", "23"},
				      {"oldest", "4500"},
				      {"o/s", "0"}})
		EXPECT_EQ(value, cell(table, 1, heading)) << heading;
}

/* Waiting behind a closed window shows as block or queue time; nobody shall blame the host. */
TEST_F(Output, closed_window_marks_the_worst_stage)
{
	session(1, "iqn.x:a");
	commands(1, 10, 3 * MS, 5 * MS);
	EXPECT_EQ("target", cell(print(), 1, "WORST"));
	sums(1)->refused = 2;
	sums(1)->refused_no_task = 2;
	EXPECT_EQ("target", cell(print(), 1, "WORST"));
	sums(1)->refused_window = 1;
	EXPECT_EQ("target(window)", cell(print(), 1, "WORST"));
	sums(1)->stage[STAGE_BLOCK].sum_ns = 1000 * MS;
	EXPECT_EQ("block(window)", cell(print(), 1, "WORST"));
}

TEST_F(Output, nops_with_x)
{
	session(1, "iqn.x:a");
	reading_session(&r_, 1)->nops = {4, 10 * MS, 4 * MS, 1};
	EXPECT_EQ(2u, lines_of(print()).size());
	o_.extended = true;
	EXPECT_EQ("NOP of session 1: 4 answered (avg 2.50 ms, max 4.00 ms), 1 lost",
		  lines_of(print()).at(2));
	reading_session(&r_, 1)->nops = {0, 0, 0, 2};
	EXPECT_EQ("NOP of session 1: 0 answered (avg - ms, max - ms), 2 lost",
		  lines_of(print()).at(2));
}

TEST_F(Output, headers_in_files)
{
	session(1, "iqn.x:a");
	EXPECT_EQ(1, headers_in(print(50)));
	EXPECT_EQ(51u, lines_of(print(50)).size());
	session(2, "iqn.x:b");
	std::string table = print(3);
	EXPECT_EQ(3, headers_in(table));
	EXPECT_EQ("", lines_of(table).at(4));
	EXPECT_EQ(3u * 5 - 1, lines_of(table).size());
}

TEST_F(Output, rows_keep_their_columns_below_one_header)
{
	session(1, "iqn.x:a");
	commands(1, 7, 500000, 1500000);
	for (bool extended : {false, true}) {
		o_.extended = extended;
		std::vector<std::string> lines = lines_of(print(3));

		ASSERT_EQ(4u, lines.size());
		/* "  1" below "SID": a number narrower than its column. */
		EXPECT_EQ(0u, lines[1].find("  1 iqn.x:a ")) << lines[1];
		EXPECT_EQ(lines[1], lines[2]);
		EXPECT_EQ(lines[1], lines[3]);
	}
}

TEST_F(Output, headers_and_names_on_terminals)
{
	int controller, terminal;
	struct winsize size = {24, 160, 0, 0};
	std::string long_name = "iqn.2026-11.com.example:" + std::string(30, 'x') + ":disk0", text;
	char chunk[4096];

	session(1, long_name);
	ASSERT_EQ(0, openpty(&controller, &terminal, nullptr, nullptr, &size));
	FILE *out = fdopen(terminal, "w");
	EXPECT_EQ(0, print_to(out, 25));
	fclose(out);
	for (ssize_t n; (n = read(controller, chunk, sizeof(chunk))) > 0;)
		text.append(chunk, n);
	close(controller);
	EXPECT_EQ(2, headers_in(text));
	EXPECT_NE(std::string::npos, text.find(long_name));
}

TEST_F(Output, another_stream_begins_with_a_header)
{
	struct printer *printer = nullptr;
	struct records records = {};
	char *text = nullptr;
	size_t size = 0;
	FILE *first = fopen("/dev/null", "w"), *second = open_memstream(&text, &size);

	session(1, "iqn.x:a");
	ASSERT_EQ(0, group_reading(&r_, &o_.filter, o_.by, false, &records));
	ASSERT_EQ(0, printer_open(&o_, first, &printer));
	EXPECT_EQ(0, printer_interval(printer, &r_, &records));
	printer_set_stream(printer, second);
	EXPECT_EQ(0, printer_interval(printer, &r_, &records));
	EXPECT_EQ(0, std::string(text, size).find("SID TARGET"));
	printer_close(printer);
	printer_close(nullptr);
	records_deinit(&records);
	fclose(first);
	fclose(second);
	free(text);
}

TEST_F(Output, stamps)
{
	o_.timestamp = true;
	session(1, "iqn.x:a");
	EXPECT_EQ("2026-11-29T13:00:01+01:00", lines_of(print()).at(0));
	EXPECT_EQ("2026-11-29T13:00:01+01:00", lines_of(print(2)).at(3));
	setenv("TZ", "<-0330>3:30", 1);
	EXPECT_EQ("2026-11-29T08:30:01-03:30", lines_of(print()).at(0));
}

/* -z: readings one after another, of which some have nothing to show. */
class Hidden : public Output
{
      protected:
	struct printer *printer_ = nullptr;
	char *text_ = nullptr;
	size_t size_ = 0;
	FILE *out_ = open_memstream(&text_, &size_);

	void TearDown() override
	{
		printer_close(printer_);
		fclose(out_);
		free(text_);
		Output::TearDown();
	}

	/* What an interval prints in which these sessions had commands. */
	std::string interval(const std::vector<uint32_t> &busy)
	{
		struct records records = {};
		size_t before = size_;

		o_.hide_idle = true;
		if (!printer_) {
			EXPECT_EQ(0, printer_open(&o_, out_, &printer_));
		}
		for (uint32_t sid : {1, 2}) {
			bool has = std::find(busy.begin(), busy.end(), sid) != busy.end();

			session(sid, "iqn.x:" + std::to_string(sid));
			commands(sid, has ? 1009 : 0, 500000, 1500000);
		}
		EXPECT_EQ(0, group_reading(&r_, &o_.filter, o_.by, o_.hide_idle, &records));
		EXPECT_EQ(0, printer_interval(printer_, &r_, &records));
		records_deinit(&records);
		return std::string(text_ + before, size_ - before);
	}
};

TEST_F(Hidden, nothing_is_printed_for_nothing)
{
	EXPECT_EQ("", interval({}));
	EXPECT_EQ("", interval({}));
	std::string first = interval({1});
	EXPECT_EQ(0u, first.find("SID TARGET ")) << first;
	EXPECT_EQ(2u, lines_of(first).size()) << first;
	EXPECT_EQ("", interval({}));
	/* The header above still holds. */
	EXPECT_EQ(lines_of(first).at(1) + "\n", interval({1}));
	std::string both = interval({1, 2});
	EXPECT_EQ(0u, both.find("\nSID TARGET ")) << both;
	EXPECT_EQ(5u, lines_of(both).size()) << both;
	EXPECT_EQ("", interval({}));
}

TEST_F(Hidden, only_the_stamp_is_left)
{
	const std::string stamp = "2026-11-29T13:00:01+01:00\n";

	o_.timestamp = true;
	EXPECT_EQ(stamp, interval({}));
	EXPECT_EQ(stamp, interval({}));
	EXPECT_EQ(0u, interval({1}).find("\n" + stamp + "SID TARGET "));
	EXPECT_EQ(stamp, interval({}));
	EXPECT_EQ(1u + 1, lines_of(interval({1})).size());
}

TEST_F(Hidden, another_stream_begins_with_a_header_all_the_same)
{
	char *text = nullptr;
	size_t size = 0;
	FILE *second = open_memstream(&text, &size);

	o_.timestamp = true;
	interval({1});
	printer_set_stream(printer_, second);
	interval({});
	interval({1});
	EXPECT_EQ(1, headers_in(std::string(text, size))) << text;
	fclose(second);
	free(text);
}

TEST_F(Hidden, losses_are_still_in_the_json_lines)
{
	o_.format = FORMAT_JSON;
	std::string lines = interval({});
	EXPECT_EQ(1u, lines_of(lines).size()) << lines;
	EXPECT_NE(std::string::npos, lines.find("\"type\":\"loss\"")) << lines;
}

/* The JSON lines of a report, parsed; members by path such as "stages/total/sum_ns". */
class Json : public Output
{
      protected:
	std::vector<struct json_object *> objects_;

	void TearDown() override
	{
		forget();
		Output::TearDown();
	}

	void forget()
	{
		for (struct json_object *object : objects_)
			json_object_put(object);
		objects_.clear();
	}

	void read()
	{
		forget();
		o_.format = FORMAT_JSON;
		for (const std::string &line : lines_of(print())) {
			struct json_tokener *tokener = json_tokener_new();

			/* With JSON_TOKENER_STRICT json-c 0.18 takes no UTF-8. */
			json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
			objects_.push_back(json_tokener_parse_ex(
				tokener, line.c_str(), static_cast<int>(line.size()) + 1));
			EXPECT_EQ(json_tokener_success, json_tokener_get_error(tokener)) << line;
			EXPECT_EQ(line.size(), json_tokener_get_parse_end(tokener)) << line;
			json_tokener_free(tokener);
		}
	}

	std::string at(size_t object, const std::string &path)
	{
		struct json_object *value = objects_.at(object);
		std::istringstream in(path);

		for (std::string name; std::getline(in, name, '/');) {
			if (!json_object_object_get_ex(value, name.c_str(), &value))
				return "absent";
		}
		return json_object_to_json_string_ext(
			value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	}
};

TEST_F(Json, record)
{
	session(1, "iqn.2026-11.com.example:disk0");
	commands(1, 1009, 500000, 1500000);
	r_.rows[0].inflight = 8;
	sums(1)->phase_max_ns[PHASE_COMPLETE] = 1500001;
	read();
	ASSERT_EQ(2u, objects_.size());
	for (auto [path, value] :
	     {std::pair<const char *, const char *>{"schema", "1"},
	      {"type", "\"stats\""},
	      {"time", "\"2026-11-29T12:00:01.250Z\""},
	      {"interval_ns", "1000000000"},
	      {"sid", "1"},
	      {"cid", "0"},
	      {"target", "\"iqn.2026-11.com.example:disk0\""},
	      {"initiator", "\"iqn.1993-08.org.debian:01:abc\""},
	      {"portal", "\"10.0.0.5:3260\""},
	      {"lun", "absent"},
	      {"disk", "absent"},
	      {"mpath", "absent"},
	      {"op", "absent"},
	      {"size", "absent"},
	      {"ios", "1009"},
	      {"pdus", "1009"},
	      {"bytes", "4132864"},
	      {"errors", "0"},
	      {"good", "1009"},
	      {"inflight", "8"},
	      {"ops/read", "{\"ios\":1009,\"bytes\":4132864}"},
	      {"ops/write", "{\"ios\":0,\"bytes\":0}"},
	      {"ops/other/ios", "0"},
	      {"stages/queue/sum_ns", "504500000"},
	      {"stages/queue/max_ns", "500000"},
	      {"stages/total/sum_ns", "2018000000"},
	      {"stages/total/max_ns", "2000000"},
	      {"stages/total/p50_ns", "2000000"},
	      {"stages/total/p90_ns", "2000000"},
	      {"stages/total/p99_ns", "2000000"},
	      {"stages/total/p999_ns", "2000000"},
	      {"stages/total/p99_95_ns", "absent"},
	      {"stages/block/sum_ns", "0"},
	      {"phases/waiting/sum_ns", "504500000"},
	      {"phases/sending/sum_ns", "0"},
	      {"phases/complete", "{\"sum_ns\":1513500000,\"max_ns\":1500001}"}})
		EXPECT_EQ(value, at(0, path)) << path;
}

TEST_F(Json, inflight_by_stage)
{
	session(1, "iqn.x");
	sums(1);
	read();
	EXPECT_EQ("0", at(0, "oldest_ns"));
	EXPECT_EQ("{\"count\":0,\"oldest_ns\":0}", at(0, "inflight_stages/target"));
	EXPECT_EQ("absent", at(0, "inflight_stages/block"));
	EXPECT_EQ("absent", at(0, "inflight_stages/total"));

	/* Nothing has ended, as with a LUN that hangs. */
	struct reading_row *row = reading_row(&r_, &r_.rows[0].key);
	row->inflight = 8;
	row->stages[STAGE_TARGET] = {7, 9007199254740993};
	row->stages[STAGE_BUSY] = {1, 3000000};
	read();
	EXPECT_EQ("0", at(0, "ios"));
	EXPECT_EQ("9007199254740993", at(0, "oldest_ns"));
	EXPECT_EQ("{\"count\":7,\"oldest_ns\":9007199254740993}", at(0, "inflight_stages/target"));
	EXPECT_EQ("{\"count\":1,\"oldest_ns\":3000000}", at(0, "inflight_stages/busy"));
	EXPECT_EQ("{\"count\":0,\"oldest_ns\":0}", at(0, "inflight_stages/done"));

	/* Recorded before stages were. */
	row->stages[STAGE_TARGET] = row->stages[STAGE_BUSY] = {};
	read();
	EXPECT_EQ("8", at(0, "inflight"));
	EXPECT_EQ("null", at(0, "oldest_ns"));
	EXPECT_EQ("null", at(0, "inflight_stages"));
}

TEST_F(Json, gauges)
{
	session(1, "iqn.x");
	reading_lun(&r_, 1, 0)->queue_depth = 32;
	read();
	EXPECT_EQ("null", at(0, "cmdsn_window"));
	EXPECT_EQ("null", at(0, "cmds_max"));
	EXPECT_EQ("absent", at(0, "queue_depth"));

	/* A closed window has no places, which is not the same as an unknown one. */
	reading_session(&r_, 1)->cmds_max = 128;
	reading_session(&r_, 1)->window_known = true;
	read();
	EXPECT_EQ("0", at(0, "cmdsn_window"));
	EXPECT_EQ("128", at(0, "cmds_max"));
	o_.by = BY_SID | BY_LUN;
	read();
	EXPECT_EQ("32", at(0, "queue_depth"));
	EXPECT_EQ("0", at(0, "cmdsn_window"));
	reading_lun(&r_, 1, 0)->queue_depth = 0;
	read();
	EXPECT_EQ("null", at(0, "queue_depth"));
	o_.by = BY_TARGET;
	read();
	EXPECT_EQ("absent", at(0, "cmdsn_window"));
	EXPECT_EQ("absent", at(0, "cmds_max"));
}

TEST_F(Json, fates)
{
	session(1, "iqn.x");
	struct sums *s = sums(1);
	s->ios = 7;
	s->good = 1;
	s->status_errors = 2;
	s->host_errors = 4;
	s->refused = 11;
	s->refused_window = 7;
	s->refused_no_task = 3;
	s->no_task = 13;
	s->retries = 17;
	s->aborted = 19;
	s->disrupted = 23;
	s->r2ts = 29;
	read();
	for (auto [path, value] : {std::pair<const char *, const char *>{"errors", "6"},
				   {"status_errors", "2"},
				   {"host_errors", "4"},
				   {"refused", "11"},
				   {"refused_window", "7"},
				   {"refused_no_task", "3"},
				   {"no_task", "13"},
				   {"retries", "17"},
				   {"aborted", "19"},
				   {"disrupted", "23"},
				   {"r2ts", "29"}})
		EXPECT_EQ(value, at(0, path)) << path;
}

TEST_F(Json, unknown_is_null_and_idle_is_not)
{
	session(1, "iqn.x");
	read();
	EXPECT_EQ("0", at(0, "ios"));
	EXPECT_EQ("0", at(0, "stages/block/sum_ns"));
	EXPECT_EQ("null", at(0, "stages/block/p50_ns"));
	EXPECT_EQ("null", at(0, "stages/total/p999_ns"));

	commands(1, 10, 1 * MS, 1 * MS);
	sums(1)->no_block = 10;
	r_.stages_known = (1U << STAGE_TOTAL) | (1U << STAGE_BLOCK) | (1U << STAGE_TARGET);
	r_.hist_count = 0;
	reading_session(&r_, 1)->target[0] = '\0';
	read();
	EXPECT_EQ("null", at(0, "target"));
	EXPECT_EQ("null", at(0, "stages/block"));
	EXPECT_EQ("null", at(0, "stages/r2t"));
	EXPECT_EQ("10000000", at(0, "stages/target/sum_ns"));
	EXPECT_EQ("null", at(0, "stages/total/p50_ns"));
	EXPECT_EQ("null", at(0, "phases/sending"));
	EXPECT_EQ("10000000", at(0, "phases/waiting/sum_ns"));

	sums(1)->no_block = 4;
	read();
	EXPECT_EQ("6", at(0, "stages/block/count"));
}

TEST_F(Json, nops)
{
	session(1, "iqn.x");
	session(2, "iqn.y");
	session(3, "iqn.z");
	reading_session(&r_, 1)->nops = {5, 9007199254740993, 4000000, 0};
	reading_session(&r_, 3)->nops = {0, 0, 0, 1};
	read();
	ASSERT_EQ(3u + 2 + 1, objects_.size());
	EXPECT_EQ("{\"schema\":1,\"type\":\"nop\",\"time\":\"2026-11-29T12:00:01.250Z\","
		  "\"interval_ns\":1000000000,\"sid\":1,\"cid\":0,\"target\":\"iqn.x\","
		  "\"initiator\":\"iqn.1993-08.org.debian:01:abc\",\"portal\":\"10.0.0.5:3260\","
		  "\"count\":5,\"sum_ns\":9007199254740993,\"max_ns\":4000000,\"lost\":0}",
		  at(3, ""));
	EXPECT_EQ("3", at(4, "sid"));
	EXPECT_EQ("1", at(4, "lost"));
	/* Those of other sessions are as unwanted as their commands. */
	id_list_add(&o_.filter.sids, 3);
	read();
	ASSERT_EQ(1u + 1 + 1, objects_.size());
	EXPECT_EQ("\"nop\"", at(1, "type"));
	EXPECT_EQ("3", at(1, "sid"));
	/* A NOP goes to no LUN: filters of what a command has leave it in. */
	id_list_add(&o_.filter.luns, 7);
	read();
	EXPECT_EQ("\"nop\"", at(objects_.size() - 2, "type"));
	filter_deinit(&o_.filter);
}

TEST_F(Json, losses)
{
	for (int i = 0; i < LOSS_COUNT; i++)
		r_.loss[i] = 100 + i;
	r_.loss[LOSS_PROBE_MISSES] = LOSS_UNKNOWN;
	read();
	ASSERT_EQ(1u, objects_.size());
	EXPECT_EQ("{\"schema\":1,\"type\":\"loss\",\"time\":\"2026-11-29T12:00:01.250Z\","
		  "\"map_full\":100,\"keys_full\":101,\"ring_full\":102,\"no_start\":103,"
		  "\"stale\":104,\"missing_stamp\":105,\"clamped\":106,\"mismatch\":107,"
		  "\"torn\":108,\"probe_misses\":null,\"event_full\":110}",
		  at(0, ""));
}

TEST_F(Json, integers_are_exact)
{
	session(1, "iqn.x");
	sums(1)->bytes = UINT64_MAX;
	sums(1)->ios = sums(1)->good = 9007199254740993;
	sums(1)->stage[STAGE_TOTAL] = {UINT64_MAX - 1, UINT64_MAX - 2};
	read();
	EXPECT_EQ("18446744073709551615", at(0, "bytes"));
	EXPECT_EQ("9007199254740993", at(0, "ios"));
	EXPECT_EQ("18446744073709551614", at(0, "stages/total/sum_ns"));
	EXPECT_EQ("18446744073709551613", at(0, "stages/total/max_ns"));
}

TEST_F(Json, names_as_given)
{
	std::string longest(223, 'x');

	session(1, longest);
	session(2, "\"\\/\x1b[31m caf\xc3\xa9");
	session(3, "a\xff\xc3(\xed\xa0\x80z");
	read();
	/* In the order of the names. */
	EXPECT_EQ("\"" + longest + "\"", at(2, "target"));
	EXPECT_EQ("\"\\\"\\\\/\\u001b[31m caf\xc3\xa9\"", at(0, "target"));
	EXPECT_EQ("\"a\\\\xff\\\\xc3(\\\\xed\\\\xa0\\\\x80z\"", at(1, "target"));
}

TEST_F(Json, keys_follow_the_grouping)
{
	session(1, "iqn.x");
	commands(1, 10, 1, 1);
	o_.by = BY_SID | BY_LUN | BY_OP | BY_SIZE;
	read();
	EXPECT_EQ("0", at(0, "lun"));
	EXPECT_EQ("\"sda\"", at(0, "disk"));
	EXPECT_EQ("null", at(0, "mpath"));
	EXPECT_EQ("\"read\"", at(0, "op"));
	EXPECT_EQ("\"all\"", at(0, "size"));
	o_.by = BY_TARGET;
	read();
	EXPECT_EQ("\"iqn.x\"", at(0, "target"));
	EXPECT_EQ("absent", at(0, "sid"));
	EXPECT_EQ("absent", at(0, "op"));
}

TEST_F(Json, percentiles_are_added)
{
	session(1, "iqn.x");
	commands(1, 10, 0, 2 * MS);
	o_.percentiles[0] = 99.95;
	o_.percentiles[1] = 50;
	o_.percentile_count = 2;
	read();
	EXPECT_EQ("2000000", at(0, "stages/total/p99_95_ns"));
	EXPECT_EQ("2000000", at(0, "stages/total/p50_ns"));
	EXPECT_EQ("null", at(0, "stages/busy/p99_95_ns"));
}

TEST_F(Output, writing_fails)
{
	session(1, "iqn.x:a");
	for (enum output_format format : {FORMAT_TABLE, FORMAT_JSON}) {
		FILE *full = fopen("/dev/full", "w");
		int ends[2];

		o_.format = format;
		EXPECT_EQ(-ENOSPC, print_to(full));
		fclose(full);
		signal(SIGPIPE, SIG_IGN);
		ASSERT_EQ(0, pipe(ends));
		close(ends[0]);
		FILE *closed = fdopen(ends[1], "w");
		EXPECT_EQ(-EPIPE, print_to(closed));
		fclose(closed);
	}
	/* More than stdio buffers: the failure comes before the end. */
	for (uint32_t sid = 2; sid < 200; sid++)
		session(sid, "iqn.x:a");
	FILE *full = fopen("/dev/full", "w");
	EXPECT_EQ(-ENOSPC, print_to(full));
	fclose(full);
}

TEST(losses, are_said_when_there_are_some)
{
	uint64_t loss[LOSS_COUNT] = {};

	testing::internal::CaptureStderr();
	loss[LOSS_PROBE_MISSES] = LOSS_UNKNOWN;
	losses_warn(loss);
	EXPECT_EQ("", testing::internal::GetCapturedStderr());
	for (int i = 0; i < LOSS_COUNT; i++) {
		memset(loss, 0, sizeof(loss));
		loss[i] = 1009;
		testing::internal::CaptureStderr();
		losses_warn(loss);
		std::string said = testing::internal::GetCapturedStderr();
		EXPECT_EQ(0u, said.find("storprototrace: ")) << said;
		EXPECT_NE(std::string::npos,
			  said.find(": 1009 (" + std::string(loss_name(iscsi_loss(i))) + ")\n"))
			<< said;
	}
}

/* One record of each of two sessions, handed over one by one. */
class Handlers : public Output
{
      protected:
	struct records records_ = {};

	void SetUp() override
	{
		Output::SetUp();
		session(1, "iqn.2026-11.com.example:disk0");
		session(2, "iqn.2026-11.com.example:" + std::string(100, 'y'));
		commands(1, 1009, 500000, 1500000);
		group();
	}

	void TearDown() override
	{
		records_deinit(&records_);
		options_deinit(options_process());
		options_init(options_process());
		Output::TearDown();
	}

	void group()
	{
		static uint64_t number = 1000;

		records_deinit(&records_);
		r_.number = number++;
		ASSERT_EQ(0, group_reading(&r_, &o_.filter, o_.by, false, &records_));
	}

	struct iscsi_stats *stats(size_t i)
	{
		return &records_.records[i];
	}

	std::string printed(const std::function<void()> &print)
	{
		testing::internal::CaptureStdout();
		print();
		return testing::internal::GetCapturedStdout();
	}

	/* Calls the handler with a full stdout, in a process of its own; its return value. */
	int on_full_disk(const std::function<int()> &handle)
	{
		int status, child = fork();

		if (child == 0) {
			dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
			_exit(-handle());
		}
		waitpid(child, &status, 0);
		return -WEXITSTATUS(status);
	}
};

TEST_F(Handlers, print_stats_has_fixed_widths)
{
	std::string text = printed([&] {
		print_stats(stats(0));
		print_stats(stats(1));
	});
	std::vector<std::string> lines = lines_of(text.substr(text.find("SID")));

	ASSERT_EQ(3u, lines.size());
	EXPECT_EQ(
		"SID TARGET                  r/s   w/s rMB/s wMB/s  aqu    avg    p99    max host "
		"target+net WORST",
		lines[0]);
	EXPECT_EQ(
		"  1 iqn.20….example:disk0  1009     0  4.13     0 2.02   2.00   2.00   2.00  25% "
		"       75% target",
		lines[1]);
	EXPECT_EQ(
		"  2 iqn.20…yyyyyyyyyyyyyy     0     0     0     0    0      -      -      -    - "
		"         - -",
		lines[2]);
}

TEST_F(Handlers, print_stats_header_per_interval)
{
	std::string text = printed([&] {
		for (int interval = 0; interval < 3; interval++) {
			print_stats(stats(0));
			print_stats(stats(1));
			group();
		}
	});

	EXPECT_EQ(3, headers_in(text));
	print_stats(nullptr);
	EXPECT_EQ(0, print_stats_error());
}

TEST_F(Handlers, print_stats_goes_by_the_process_options)
{
	options_process()->timestamp = true;
	options_process()->extended = true;
	o_.by = BY_SID | BY_LUN;
	group();
	std::string text = printed([&] { print_stats(stats(0)); });
	EXPECT_NE(std::string::npos, text.find("2026-11-29T13:00:01+01:00\n")) << text;
	EXPECT_NE(std::string::npos, text.find(" LUN DISK ")) << text;
	EXPECT_NE(std::string::npos, text.find(" data_out ")) << text;
}

TEST_F(Handlers, filters)
{
	std::string text = printed([&] {
		EXPECT_EQ(0, filter_sid_print_stats(stats(0), 1));
		EXPECT_EQ(1, filter_sid_print_stats(stats(0), 2));
		EXPECT_EQ(0, filter_cid_print_stats(stats(0), 0));
		EXPECT_EQ(1, filter_cid_print_stats(stats(0), 1));
		EXPECT_EQ(0,
			  filter_targetname_print_stats(stats(0), "iqn.2026-11.com.example:disk0"));
		EXPECT_EQ(0, filter_targetname_print_stats(stats(0), "*:disk?"));
		EXPECT_EQ(1,
			  filter_targetname_print_stats(stats(0), "iqn.2026-11.com.example:disk"));
		EXPECT_EQ(1, filter_targetname_print_stats(stats(0), ""));
		EXPECT_EQ(0, filter_initiatorname_print_stats(stats(0), "iqn.*:abc"));
		EXPECT_EQ(1, filter_initiatorname_print_stats(stats(0), "iqn.*:abd"));
	});

	/* The header and one line per match. */
	EXPECT_EQ(6u, lines_of(text.substr(text.find("SID"))).size()) << text;
}

TEST_F(Handlers, filters_without_arguments)
{
	EXPECT_EQ("", printed([&] {
			  EXPECT_EQ(1, filter_sid_print_stats(nullptr, 1));
			  EXPECT_EQ(1, filter_cid_print_stats(nullptr, 1));
			  EXPECT_EQ(1, filter_targetname_print_stats(nullptr, "x"));
			  EXPECT_EQ(1, filter_targetname_print_stats(stats(0), nullptr));
			  EXPECT_EQ(1, filter_initiatorname_print_stats(nullptr, "x"));
			  EXPECT_EQ(1, filter_initiatorname_print_stats(stats(0), nullptr));
			  EXPECT_EQ(1, filter_apply(nullptr));
		  }));
}

TEST_F(Handlers, filter_apply_takes_all_filters)
{
	struct filter *filter = &options_process()->filter;

	printed([&] {
		EXPECT_EQ(0, filter_apply(stats(0)));
		name_list_add(&filter->targets, "*:disk0");
		id_list_add(&filter->sids, 1);
		EXPECT_EQ(0, filter_apply(stats(0)));
		EXPECT_EQ(1, filter_apply(stats(1)));
		/* What this grouping leaves open was filtered before. */
		id_list_add(&filter->luns, 77);
		name_list_add(&filter->disks, "sdz");
		filter->ops = 1U << OP_WRITE;
		EXPECT_EQ(0, filter_apply(stats(0)));
		name_list_add(&filter->initiators, "nobody");
		EXPECT_EQ(1, filter_apply(stats(0)));
	});
}

TEST_F(Handlers, filter_apply_by_lun_disk_and_op)
{
	struct filter *filter = &options_process()->filter;

	strcpy(reading_lun(&r_, 1, 0)->mpath, "mpatha");
	o_.by = BY_SID | BY_LUN | BY_OP;
	group();
	printed([&] {
		id_list_add(&filter->luns, 0);
		EXPECT_EQ(0, filter_apply(stats(0)));
		name_list_add(&filter->disks, "sdz");
		EXPECT_EQ(1, filter_apply(stats(0)));
		name_list_add(&filter->disks, "mpatha");
		EXPECT_EQ(0, filter_apply(stats(0)));
		filter->ops = 1U << OP_WRITE;
		EXPECT_EQ(1, filter_apply(stats(0)));
		filter->ops |= 1U << OP_READ;
		EXPECT_EQ(0, filter_apply(stats(0)));
		id_list_add(&filter->cids, 9);
		EXPECT_EQ(1, filter_apply(stats(0)));
	});
}

TEST_F(Handlers, say_when_nothing_can_be_written)
{
	EXPECT_EQ(-ENOSPC, on_full_disk([&] { return filter_sid_print_stats(stats(0), 1); }));
	EXPECT_EQ(-ENOSPC, on_full_disk([&] { return filter_apply(stats(0)); }));
	EXPECT_EQ(-1, on_full_disk([&] { return -filter_sid_print_stats(stats(0), 9); }));
	EXPECT_EQ(-ENOSPC, on_full_disk([&] {
		print_stats(stats(0));
		print_stats(stats(1));
		return print_stats_error();
	}));
	EXPECT_EQ(0, on_full_disk([&] {
			  print_stats(stats(0));
			  print_stats_error();
			  return print_stats_error();
		  }));
}

} // namespace
