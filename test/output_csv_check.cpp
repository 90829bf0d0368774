/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Columns: those that were chosen, and comma-separated values. */
#include <cerrno>
#include <memory>
#include <sstream>
#include <unistd.h>
#include "common_host.h"
#include "output/columns.h"
#include "output/member.h"
#include "output/printer.h"

namespace
{

class Chosen : public Host
{
      protected:
	struct options o_;

	void SetUp() override
	{
		options_init(&o_);
		setenv("LC_ALL", "C.UTF-8", 1);
	}

	std::string print(int times = 1)
	{
		struct printer *printer = nullptr;
		char *text = nullptr;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		counts(o_.by, o_.hide_idle);
		EXPECT_EQ(0, printer_open(&o_, out, &printer));
		for (int i = 0; i < times; i++)
			EXPECT_EQ(0, printer_interval(printer, &r, &records));
		printer_close(printer);
		fclose(out);
		std::string printed(text, size);
		free(text);
		return printed;
	}

	std::string csv(const char *columns, uint32_t by = BY_DEFAULT)
	{
		o_.format = FORMAT_CSV;
		o_.columns = columns;
		o_.by = by;
		return print();
	}
};

TEST_F(Chosen, columns_of_the_table)
{
	o_.columns = "ios,TARGET,SID";
	o_.hide_idle = true;
	EXPECT_EQ("   ios TARGET  SID\n"
		  "   110 iqn.one   1\n"
		  "    40 iqn.one   2\n"
		  "   150 all       -\n",
		  print());
	o_.columns = "ios,errors";
	EXPECT_EQ("   ios errors\n"
		  "   110      0\n"
		  "    40      0\n"
		  "   150      0\n",
		  print());
	o_.columns = "infl";
	o_.by = BY_TARGET;
	EXPECT_EQ("infl\n   5\n", print());
}

TEST_F(Chosen, percentiles_by_any_number)
{
	o_.by = BY_INITIATOR;
	o_.columns = "p99.95,p50,send:p99,target:p1,max";
	count_hist(&r, make_key(1, 0, OP_READ), 10);
	EXPECT_EQ("p99.95    p50 send:p99 target:p1    max\n"
		  "0.0430 0.0430        -         - 0.0450\n",
		  print());
}

TEST_F(Chosen, names_there_are_and_are_not)
{
	struct column column;
	auto known = [&](const char *name) { return column_by_name(&column, name, strlen(name)); };

	for (size_t i = 0; i < field_count; i++) {
		ASSERT_TRUE(known(fields[i].name));
		EXPECT_STREQ(fields[i].name, column.field.name);
	}
	for (const char *name : {"p1", "p100", "p99.9999", "p0.5", "done:p50", "r2t:p99.9"}) {
		EXPECT_TRUE(known(name)) << name;
		EXPECT_STREQ(name, column.field.name);
	}
	for (const char *name :
	     {"", "p", "p0", "p100.5", "p101", "p1000", "p99.99999", "p.5", "p5.", "p5x", "p-5",
	      "sid", "total:p99", "nothing:p99", ":p99", "send:", "send:avg", "send:p",
	      "a name longer than any column there could be, and then some"})
		EXPECT_FALSE(known(name)) << name;
	EXPECT_TRUE(column_by_name(&column, "SID,CID", 3));
	EXPECT_TRUE(known("p99.95"));
	EXPECT_DOUBLE_EQ(99.95, column.field.percent);
}

TEST_F(Chosen, values)
{
	EXPECT_EQ("sid,ios,read_ios,write_bytes,other_ios,inflight,total_sum_ns,total_max_ns,"
		  "total_p99_ns,done_count,waiting_sum_ns,complete_max_ns,interval_ns,time\n"
		  "1,110,10,81920,80,0,4950000,45000,,110,660000,24000,2000,"
		  "1970-01-01T00:00:00.000Z\n"
		  "2,40,40,0,0,5,1800000,45000,,40,240000,24000,2000,1970-01-01T00:00:00.000Z\n"
		  "4,0,0,0,0,0,0,0,,0,0,0,2000,1970-01-01T00:00:00.000Z\n"
		  "3,0,0,0,0,0,0,0,,0,0,0,2000,1970-01-01T00:00:00.000Z\n",
		  csv("sid,ios,read_ios,write_bytes,other_ios,inflight,total_sum_ns,total_max_ns,"
		      "total_p99_ns,done_count,waiting_sum_ns,complete_max_ns,interval_ns,time"));
}

TEST_F(Chosen, unknown_is_empty)
{
	r.stages_known &= ~(1U << STAGE_SEND);
	r.loss[LOSS_TORN] = 1009;
	r.loss[LOSS_PROBE_MISSES] = LOSS_UNKNOWN;
	for (size_t i = 0; i < r.row_count; i++)
		r.rows[i].sums.no_block = r.rows[i].sums.ios;
	EXPECT_EQ("mpath,ios,send_sum_ns,block_count,block_p50_ns,sending_sum_ns,loss_torn,"
		  "loss_probe_misses\n"
		  ",80,,,,1200000,1009,\n"
		  "mpatha,70,,,,1050000,1009,\n",
		  csv("mpath,ios,send_sum_ns,block_count,block_p50_ns,sending_sum_ns,loss_torn,"
		      "loss_probe_misses",
		      BY_MPATH));
}

TEST_F(Chosen, texts_are_quoted_where_they_must_be)
{
	for (auto [name, written] :
	     {std::pair<const char *, const char *>{"iqn.x y;'\t", "iqn.x y;'\\x09"},
	      {"a,b", "\"a,b\""},
	      {"a\"b", "\"a\"\"b\""},
	      {"\"", "\"\"\"\""},
	      {"a\nb", "\"a\nb\""},
	      {"a\\b", "a\\b"},
	      {"a\rb\x1b\xff", "a\\x0db\\x1b\\xff"},
	      {"caf\xc3\xa9", "caf\xc3\xa9"}}) {
		strcpy(reading_session(&r, 4)->target, name);
		EXPECT_NE(std::string::npos,
			  csv("sid,target,cid").find("\n4," + std::string(written) + ",0\n"))
			<< written;
	}
}

TEST_F(Chosen, members_follow_grouping_and_percentiles)
{
	auto members = std::make_unique<struct member_list>();
	auto has = [&](const char *name) {
		members_init(members.get(), &o_);
		return members_find(members.get(), name, strlen(name)) != nullptr;
	};

	EXPECT_TRUE(has("target"));
	EXPECT_TRUE(has("portal"));
	EXPECT_TRUE(has("target_p999_ns"));
	EXPECT_TRUE(has("loss_map_full"));
	EXPECT_FALSE(has("lun"));
	EXPECT_FALSE(has("op"));
	EXPECT_FALSE(has("targe"));
	EXPECT_FALSE(has("target_p99_95_ns"));
	size_t count = members->count;
	o_.percentiles[0] = 99;
	o_.percentiles[1] = 99.95;
	o_.percentile_count = 2;
	EXPECT_TRUE(has("target_p99_95_ns"));
	/* p99 is there already. */
	EXPECT_EQ(count + STAGE_COUNT, members->count);
	o_.by = (BY_SIZE << 1) - 1;
	o_.percentile_count = PERCENTILES_MAX;
	for (int i = 0; i < PERCENTILES_MAX; i++)
		o_.percentiles[i] = i + 1;
	EXPECT_TRUE(has("size"));
	EXPECT_TRUE(has("loss_probe_misses"));
	EXPECT_LT(members->count, static_cast<size_t>(MEMBERS_MAX));
}

TEST_F(Chosen, one_header_per_stream)
{
	struct printer *printer = nullptr;
	char *text = nullptr;
	size_t size = 0;
	FILE *first = open_memstream(&text, &size), *kept = tmpfile(), *fresh = tmpfile();
	auto size_of = [](FILE *file) { return fseek(file, 0, SEEK_END) ? -1 : ftell(file); };

	o_.format = FORMAT_CSV;
	o_.columns = "ios";
	o_.by = BY_INITIATOR;
	counts(o_.by);
	ASSERT_EQ(0, printer_open(&o_, first, &printer));
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(0, printer_interval(printer, &r, &records));
	EXPECT_EQ("ios\n150\n150\n", std::string(text, size));
	/* Not rotated away: its header is there. */
	fputs("ios\n150\n", kept);
	fflush(kept);
	printer_set_stream(printer, kept);
	EXPECT_EQ(0, printer_interval(printer, &r, &records));
	EXPECT_EQ(8 + 4, size_of(kept));
	printer_set_stream(printer, fresh);
	EXPECT_EQ(0, printer_interval(printer, &r, &records));
	EXPECT_EQ(4 + 4, size_of(fresh));
	printer_close(printer);
	fclose(first);
	fclose(kept);
	fclose(fresh);
	free(text);
}

TEST_F(Chosen, a_header_even_with_nothing_below)
{
	id_list_add(&f.sids, 77);
	EXPECT_EQ("sid,ios\n", csv("sid,ios"));
}

} // namespace
