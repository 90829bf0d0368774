/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command line: every option, every way to get it wrong, and what is then said. */
#include <cstdlib>
#include <netdb.h>
#include <string>
#include <vector>
#include <gtest/gtest.h>
#include "cli_parser/cli_parser.h"

namespace
{

/* One parse with all that came of it; the strings live as long as it does. */
class Parsed
{
	std::vector<std::string> words_;
	std::vector<char *> argv_;

      public:
	struct options options;
	enum cli_result result;
	std::string out, err;

	explicit Parsed(std::vector<std::string> words) : words_(std::move(words))
	{
		char *text = nullptr;
		size_t size = 0;
		FILE *stream = open_memstream(&text, &size);

		words_.insert(words_.begin(), "storprototrace");
		for (std::string &word : words_)
			argv_.push_back(&word[0]);
		argv_.push_back(nullptr);
		const std::vector<char *> before = argv_;
		testing::internal::CaptureStderr();
		result = cli_parse(static_cast<int>(words_.size()), argv_.data(), &options, stream);
		err = testing::internal::GetCapturedStderr();
		EXPECT_EQ(before, argv_);
		fclose(stream);
		out.assign(text, size);
		free(text);
	}
	~Parsed()
	{
		options_deinit(&options);
	}
	Parsed(const Parsed &) = delete;
	Parsed &operator=(const Parsed &) = delete;
};

std::vector<uint64_t> ids(const struct id_list &list)
{
	return std::vector<uint64_t>(list.ids, list.ids + list.count);
}

std::vector<std::string> names(const struct name_list &list)
{
	return std::vector<std::string>(list.names, list.names + list.count);
}

using Ids = std::vector<uint64_t>;
using Names = std::vector<std::string>;

TEST(events, are_asked_for_in_milliseconds)
{
	Parsed none({}), every({"-e", "--stuck", "5000"}), slow({"--slower=0.000001"});

	EXPECT_FALSE(none.options.events);
	EXPECT_EQ(0u, none.options.filter.slower_ns);
	EXPECT_EQ(0u, none.options.filter.stuck_ns);
	EXPECT_TRUE(every.options.events);
	EXPECT_EQ(5000000000u, every.options.filter.stuck_ns);
	EXPECT_EQ(1u, slow.options.filter.slower_ns);
}

void expect_usage(std::vector<std::string> words, std::vector<std::string> said)
{
	std::string line;

	for (const std::string &word : words)
		line += " " + word;
	Parsed p(std::move(words));
	EXPECT_EQ(CLI_USAGE, p.result) << line;
	EXPECT_EQ("", p.out) << line;
	EXPECT_EQ(0u, p.err.find("storprototrace: ")) << line << p.err;
	EXPECT_EQ('\n', p.err.back()) << line;
	for (const std::string &part : said)
		EXPECT_NE(std::string::npos, p.err.find(part)) << line << ": " << p.err;
}

TEST(cli, defaults)
{
	Parsed p({});

	EXPECT_EQ(CLI_RUN, p.result);
	EXPECT_EQ("", p.out);
	EXPECT_EQ("", p.err);
	EXPECT_TRUE(filter_empty(&p.options.filter));
	EXPECT_EQ(static_cast<uint32_t>(BY_SID | BY_CID), p.options.by);
	EXPECT_EQ(1000000000u, p.options.interval_ns);
	EXPECT_EQ(0u, p.options.count);
	EXPECT_EQ(FORMAT_TABLE, p.options.format);
	EXPECT_EQ(0u, p.options.percentile_count);
	EXPECT_EQ(16384u, p.options.max_inflight);
	EXPECT_EQ(4096u, p.options.max_keys);
	EXPECT_EQ(600000000000u, p.options.max_age_ns);
	EXPECT_EQ(ATTACH_AUTO, p.options.attach);
	EXPECT_FALSE(p.options.once);
	EXPECT_EQ(nullptr, p.options.output);
}

TEST(cli, no_arguments_at_all)
{
	struct options options;

	EXPECT_EQ(CLI_RUN, cli_parse(0, nullptr, &options, stdout));
	options_deinit(&options);
}

TEST(cli, filters_repeat_and_combine)
{
	Parsed p({"-t",
		  "iqn.a",
		  "--target=iqn.b*",
		  "-i",
		  "iqn.me",
		  "-s",
		  "1",
		  "-s2",
		  "--sid",
		  "3",
		  "-c0",
		  "-l",
		  "0",
		  "--lun=18446744073709551615",
		  "-d",
		  "/dev/sda",
		  "--disk",
		  "mpatha",
		  "--op",
		  "read",
		  "--op=other"});
	const struct filter &f = p.options.filter;

	ASSERT_EQ(CLI_RUN, p.result) << p.err;
	EXPECT_EQ(Names({"iqn.a", "iqn.b*"}), names(f.targets));
	EXPECT_EQ(Names({"iqn.me"}), names(f.initiators));
	EXPECT_EQ(Ids({1, 2, 3}), ids(f.sids));
	EXPECT_EQ(Ids({0}), ids(f.cids));
	EXPECT_EQ(Ids({0, UINT64_MAX}), ids(f.luns));
	EXPECT_EQ(Names({"/dev/sda", "mpatha"}), names(f.disks));
	EXPECT_EQ(1u << OP_READ | 1u << OP_OTHER, f.ops);
}

TEST(cli, op_list)
{
	Parsed p({"--op", "write,read"});

	EXPECT_EQ(1u << OP_READ | 1u << OP_WRITE, p.options.filter.ops);
}

TEST(cli, by_every_word)
{
	Parsed p({"-b", "initiator,target,portal,sid,cid,lun,disk,mpath,op,size"});
	Parsed last({"-b", "op", "--by=lun"});

	EXPECT_EQ((1u << 10) - 1, p.options.by);
	EXPECT_EQ(static_cast<uint32_t>(BY_LUN), last.options.by);
}

TEST(cli, flags)
{
	Parsed shorts({"-zTxvv"});
	Parsed longs({"--hide-idle", "--timestamp", "--extended", "--verbose", "--verbose",
		      "--cumulative", "--strict"});
	Parsed quiet({"-q"});

	for (const Parsed *p : {&shorts, &longs}) {
		EXPECT_EQ(CLI_RUN, p->result);
		EXPECT_TRUE(p->options.hide_idle);
		EXPECT_TRUE(p->options.timestamp);
		EXPECT_TRUE(p->options.extended);
		EXPECT_EQ(2u, p->options.verbose);
	}
	EXPECT_FALSE(shorts.options.cumulative);
	EXPECT_TRUE(longs.options.cumulative);
	EXPECT_TRUE(longs.options.strict);
	EXPECT_TRUE(quiet.options.quiet);
}

TEST(cli, values)
{
	Parsed p({"-o", "a b", "--record=r", "--attach", "kprobe", "--max-inflight", "1",
		  "--max-keys=1048576", "--max-age", "600.5", "--no-module-btf"});
	Parsed replay({"--replay", "-sid"});

	ASSERT_EQ(CLI_RUN, p.result) << p.err;
	EXPECT_STREQ("a b", p.options.output);
	EXPECT_STREQ("r", p.options.record);
	EXPECT_EQ(ATTACH_KPROBE, p.options.attach);
	EXPECT_TRUE(p.options.no_module_btf);
	EXPECT_FALSE(replay.options.no_module_btf);
	EXPECT_EQ(1u, p.options.max_inflight);
	EXPECT_EQ(1048576u, p.options.max_keys);
	EXPECT_EQ(600500000000u, p.options.max_age_ns);
	EXPECT_STREQ("-sid", replay.options.replay);
	EXPECT_FALSE(p.options.filter.no_session_events);
	EXPECT_TRUE(Parsed({"--no-session-events"}).options.filter.no_session_events);
}

#ifdef STORPROTOTRACE_LISTEN
/* What --listen makes of the value, as "family address port". */
std::string listen_address(const char *value)
{
	Parsed p({"--listen", value});
	char host[64] = "", port[8] = "";

	if (p.result != CLI_RUN)
		return "refused";
	getnameinfo((const struct sockaddr *)&p.options.listen, sizeof(p.options.listen), host,
		    sizeof(host), port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
	return std::string(p.options.listen.ss_family == AF_INET6 ? "6 " : "4 ") + host + " " +
	       port;
}

TEST(cli, listen_addresses)
{
	EXPECT_EQ(AF_UNSPEC, Parsed({}).options.listen.ss_family);
	EXPECT_EQ("4 127.0.0.1 9300", listen_address(":9300"));
	EXPECT_EQ("4 10.0.0.5 65535", listen_address("10.0.0.5:65535"));
	EXPECT_EQ("4 0.0.0.0 0", listen_address("0.0.0.0:0"));
	EXPECT_EQ("6 ::1 9300", listen_address("[::1]:9300"));
	EXPECT_EQ("6 :: 80", listen_address("[::]:80"));
	EXPECT_EQ("6 fd00::5 9300", listen_address("[fd00::5]:9300"));
	EXPECT_EQ("6 1111:2222:3333:4444:5555:6666:7777:8888 1",
		  listen_address("[1111:2222:3333:4444:5555:6666:7777:8888]:1"));
	for (const char *bad : {"",
				":",
				"9300",
				"127.0.0.1",
				"127.0.0.1:",
				"localhost:9300",
				"127.1:9300",
				"::1:9300",
				"[::1]",
				"[]:9300",
				"[:9300",
				"]:9300",
				"[127.0.0.1]:9300",
				"*:9300",
				"1.2.3.4.5:9300",
				":9300 ",
				" :9300",
				":-1",
				":0x50",
				":65536",
				":http",
				"http://127.0.0.1:9300",
				":99999999999999999999",
				"[1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa]:1"})
		expect_usage({"--listen", bad}, {"--listen", bad, "[::1]:9300"});
}

TEST(cli, who_listens_prints_what_is_asked_for)
{
	EXPECT_FALSE(Parsed({}).options.serve_only);
	EXPECT_FALSE(Parsed({"-f", "table"}).options.serve_only);
	EXPECT_TRUE(Parsed({"--listen", ":1"}).options.serve_only);
	EXPECT_TRUE(
		Parsed({"--listen", ":1", "-b", "lun", "-s", "1", "-v", "5"}).options.serve_only);
	for (const char *asks : {"-j", "-x", "-ofile", "-ftable", "-H", "-e", "--slower=5", "-p99"})
		EXPECT_FALSE(Parsed({"--listen", ":1", asks}).options.serve_only) << asks;
	expect_usage({"--listen", ":1", "-1"}, {"--listen", "-1/--once"});
	expect_usage({"--listen", ":1", "--check"}, {"--listen", "--check"});
}
#else
TEST(cli, a_build_that_cannot_listen_says_so)
{
	expect_usage({"--listen", ":9300"}, {"--listen", "built without", "install-deps.sh"});
	expect_usage({"--listen", "9300"}, {"--listen", "'9300'"});
}
#endif

TEST(cli, histograms)
{
	EXPECT_EQ(0u, Parsed({}).options.histograms);
	EXPECT_EQ(1u << STAGE_TOTAL, Parsed({"-H"}).options.histograms);
	EXPECT_EQ(1u << STAGE_TARGET | 1u << STAGE_R2T,
		  Parsed({"--histogram-of", "target,r2t", "-H"}).options.histograms);
	/* All stages by their names, and the total. */
	for (uint32_t stage = 0; stage < STAGE_COUNT; stage++)
		EXPECT_EQ(1u << stage,
			  Parsed({"--histogram-of", iscsi_stage_name(stage)}).options.histograms);
	expect_usage({"-H", "-j"}, {"-H/--histogram", "-j/--json"});
	expect_usage({"--histogram-of", "phase"}, {"'phase'", "--histogram-of", "block, busy"});
	EXPECT_TRUE(Parsed({"--utc"}).options.utc);
}

TEST(cli, heatmap)
{
	Parsed total({"--heatmap", "5"}), by({"-b", "sid,cid", "--heatmap=r2t"});

	EXPECT_EQ(0u, Parsed({}).options.heatmap);
	EXPECT_EQ(1u << STAGE_TOTAL, total.options.heatmap);
	/* What follows is no value of it. */
	EXPECT_EQ(5000000000u, total.options.interval_ns);
	EXPECT_EQ(0u, total.options.by);
	EXPECT_EQ(1u << STAGE_R2T, by.options.heatmap);
	EXPECT_EQ(static_cast<uint32_t>(BY_DEFAULT), by.options.by);
	expect_usage({"--heatmap=target,r2t"}, {"'target,r2t'", "--heatmap"});
	expect_usage({"--heatmap="}, {"--heatmap", "block, busy"});
	/* On a page both are there. */
	EXPECT_EQ(FORMAT_HTML, Parsed({"-f", "html", "--heatmap", "-p", "50"}).options.format);
	EXPECT_EQ(static_cast<uint32_t>(BY_DEFAULT),
		  Parsed({"-f", "html", "--heatmap"}).options.by);
	expect_usage({"-f", "html", "--cumulative"}, {"--cumulative", "--format"});
	for (const char *other : {"-j", "-H", "-x", "--cumulative"})
		expect_usage({"--heatmap", other}, {"--heatmap", other});
}

TEST(cli, columns_are_looked_at_by_the_program)
{
	static std::string seen;
	static int answer;

	EXPECT_STREQ("any,thing", Parsed({"--columns", "any,thing"}).options.columns);
	cli_choose_columns([](const struct options *options, FILE *out) {
		seen = options->columns;
		fputs("listed", out);
		return answer;
	});
	EXPECT_EQ(CLI_RUN, Parsed({}).result);
	EXPECT_EQ("", seen);
	answer = 0;
	EXPECT_EQ(CLI_RUN, Parsed({"--columns", "SID"}).result);
	EXPECT_EQ("SID", seen);
	answer = 1;
	Parsed listed({"--columns=help"});
	EXPECT_EQ(CLI_EXIT, listed.result);
	EXPECT_EQ("listed", listed.out);
	answer = -22;
	EXPECT_EQ(CLI_USAGE, Parsed({"--columns", "SID"}).result);
	/* Together with the format, wherever that stands. */
	answer = 0;
	EXPECT_EQ(CLI_RUN, Parsed({"--columns", "sid", "-f", "csv"}).result);
	cli_choose_columns(nullptr);
}

TEST(cli, what_is_scraped_counts_since_the_start)
{
	EXPECT_FALSE(Parsed({"-j"}).options.cumulative);
	for (const char *format : {"prometheus", "openmetrics"}) {
		EXPECT_TRUE(Parsed({"-f", format}).options.cumulative);
		EXPECT_TRUE(Parsed({"-f", format, "--cumulative"}).options.cumulative);
	}
	EXPECT_EQ(FORMAT_PROMETHEUS, Parsed({"-f", "prometheus"}).options.format);
	EXPECT_EQ(FORMAT_OPENMETRICS, Parsed({"-f", "openmetrics"}).options.format);
}

TEST(cli, formats)
{
	EXPECT_EQ(FORMAT_JSON, Parsed({"-j"}).options.format);
	EXPECT_EQ(FORMAT_JSON, Parsed({"-f", "json"}).options.format);
	EXPECT_EQ(FORMAT_JSON, Parsed({"-j", "-f", "json"}).options.format);
	EXPECT_EQ(FORMAT_TABLE, Parsed({"--format=table"}).options.format);
}

TEST(cli, percentiles)
{
	Parsed p({"-p", "50,99,99.9,100,.5,0.0001"});

	ASSERT_EQ(CLI_RUN, p.result) << p.err;
	ASSERT_EQ(6u, p.options.percentile_count);
	EXPECT_EQ(50, p.options.percentiles[0]);
	EXPECT_EQ(99, p.options.percentiles[1]);
	EXPECT_EQ(99.9, p.options.percentiles[2]);
	EXPECT_EQ(100, p.options.percentiles[3]);
	EXPECT_EQ(0.5, p.options.percentiles[4]);
	EXPECT_EQ(0.0001, p.options.percentiles[5]);
	EXPECT_EQ(8u, Parsed({"-p", "1,2,3,4,5,6,7,8"}).options.percentile_count);
}

TEST(cli, interval_and_count)
{
	Parsed p({"0.5", "60"});

	EXPECT_EQ(500000000u, p.options.interval_ns);
	EXPECT_EQ(60u, p.options.count);
	EXPECT_EQ(10000000u, Parsed({"0.01"}).options.interval_ns);
	EXPECT_EQ(86400000000000u, Parsed({"86400"}).options.interval_ns);
	EXPECT_EQ(250000000u, Parsed({".25"}).options.interval_ns);
	EXPECT_EQ(1000000001u, Parsed({"1.000000001"}).options.interval_ns);
	EXPECT_EQ(5u, Parsed({"-j", "1", "-z", "5", "-x"}).options.count);
	EXPECT_EQ(7u, Parsed({"--", "1", "7"}).options.count);
	EXPECT_EQ(2000000000u, Parsed({"-1", "2"}).options.interval_ns);
	EXPECT_EQ(1u, Parsed({"-1", "2"}).options.count);
	EXPECT_EQ(CLI_RUN, Parsed({"-1", "2", "1"}).result);
}

TEST(cli, interval_of_a_replay)
{
	/* Only one that was asked for changes the intervals of a recording. */
	EXPECT_EQ(0u, Parsed({"--replay", "a"}).options.merge_ns);
	EXPECT_EQ(1000000000u, Parsed({"--replay", "a", "1"}).options.merge_ns);
}

TEST(cli, published_names_one_dash_or_two)
{
	for (const std::string dash : {"-", "--"}) {
		Parsed p({dash + "sid", "7", dash + "cid", "0", dash + "target", "iqn.x",
			  dash + "initiatorname", "iqn.y", dash + "lun", "4", dash + "once",
			  dash + "verbose"});

		ASSERT_EQ(CLI_RUN, p.result) << p.err;
		EXPECT_EQ(Ids({7}), ids(p.options.filter.sids));
		EXPECT_EQ(Ids({0}), ids(p.options.filter.cids));
		EXPECT_EQ(Names({"iqn.x"}), names(p.options.filter.targets));
		EXPECT_EQ(Names({"iqn.y"}), names(p.options.filter.initiators));
		EXPECT_EQ(Ids({4}), ids(p.options.filter.luns));
		EXPECT_TRUE(p.options.once);
		EXPECT_EQ(1u, p.options.count);
		EXPECT_EQ(1u, p.options.verbose);
	}
}

TEST(cli, published_names_with_equals)
{
	Parsed p({"-sid=1", "--sid=2", "-target=iqn.x=y", "-initiatorname=iqn.z"});

	ASSERT_EQ(CLI_RUN, p.result) << p.err;
	EXPECT_EQ(Ids({1, 2}), ids(p.options.filter.sids));
	EXPECT_EQ(Names({"iqn.x=y"}), names(p.options.filter.targets));
	EXPECT_EQ(Names({"iqn.z"}), names(p.options.filter.initiators));
	EXPECT_EQ("", p.err);
}

TEST(cli, values_that_look_like_published_names)
{
	EXPECT_EQ(Names({"-sid"}), names(Parsed({"-t", "-sid"}).options.filter.targets));
	EXPECT_EQ(Names({"-once"}), names(Parsed({"--target", "-once"}).options.filter.targets));
	EXPECT_EQ(Names({"-sid"}), names(Parsed({"-target", "-sid"}).options.filter.targets));
	EXPECT_EQ(Names({"-lun"}), names(Parsed({"-zt", "-lun"}).options.filter.targets));
	EXPECT_EQ(Names({"--"}), names(Parsed({"-t", "--"}).options.filter.targets));
	EXPECT_EQ(Names({"-sid=3"}), names(Parsed({"-i", "-sid=3"}).options.filter.initiators));
	expect_usage({"--", "-sid", "1"}, {"-sid", "interval"});
}

TEST(cli, short_options_are_not_taken_for_published_names)
{
	EXPECT_EQ(Ids({1}), ids(Parsed({"-s", "1"}).options.filter.sids));
	EXPECT_EQ(Ids({1}), ids(Parsed({"-s1"}).options.filter.sids));
	EXPECT_EQ(Ids({1, 2}), ids(Parsed({"-s1", "-sid", "2"}).options.filter.sids));
	EXPECT_EQ(Ids({1, 2}), ids(Parsed({"--sid=1", "-sid=2"}).options.filter.sids));
	EXPECT_EQ(Names({"arget2"}), names(Parsed({"-target2"}).options.filter.targets));
	EXPECT_EQ(Names({"o"}), names(Parsed({"-to"}).options.filter.targets));
	expect_usage({"-si", "1"}, {"'i'", "--sid"});
}

TEST(cli, abbreviations_are_errors)
{
	expect_usage({"--targ", "x"}, {"--targ", "hint: did you mean --target?"});
	expect_usage({"--targ=x"}, {"--targ:", "--target?"});
	expect_usage({"--to", "x"}, {"--to"});
	expect_usage({"--cumul"}, {"--cumul", "--cumulative?"});
	expect_usage({"--js"}, {"--js", "--json?"});
	expect_usage({"--initiatorna", "x"}, {"--initiatorna"});
	expect_usage({"--nosuch"}, {"--nosuch", "hint: storprototrace --help"});
	expect_usage({"--=x"}, {"--:"});
}

TEST(cli, unknown_and_missing)
{
	expect_usage({"-Y"}, {"-Y", "hint: "});
	expect_usage({"-zY"}, {"-Y"});
	expect_usage({"-5"}, {"-5"});
	expect_usage({"-:"}, {"-:"});
	expect_usage({"-\x1b"}, {"-\\x1b"});
	expect_usage({"-s"}, {"-s/--sid", "session id"});
	expect_usage({"-sid"}, {"-s/--sid"});
	expect_usage({"--op"}, {"--op"});
	expect_usage({"--once=1"}, {"--once"});
	expect_usage({"-once=1"}, {"-once"});
	expect_usage({"--json=x"}, {"--json"});
	expect_usage({"1", "2", "3"}, {"'3'"});
}

TEST(cli, bad_numbers)
{
	const std::string sid_range = "from 0 to 4294967295";

	for (const std::string value : {"-1", "abc", "", " 1", "1 ", "+1", "0x1", "1.0",
					"4294967296", "99999999999", "99999999999999999999999"})
		expect_usage({"-s", value},
			     {"'" + value + "'", "-s/--sid", "session id", sid_range});
	expect_usage({"-sid=x"}, {"'x'", "--sid"});
	expect_usage({"-sid="}, {"''", "--sid"});
	expect_usage({"-c", "x"}, {"'x'", "-c/--cid", "connection id"});
	expect_usage({"-l", "18446744073709551616"},
		     {"'18446744073709551616'", "--lun", "out of range", "18446744073709551615"});
	expect_usage({"--max-inflight", "0"}, {"'0'", "--max-inflight", "1 to 1048576"});
	expect_usage({"--max-keys", "1048577"}, {"'1048577'", "--max-keys", "1 to 1048576"});
	expect_usage({"--max-age", "599.999999999"},
		     {"'599.999999999'", "--max-age", "seconds", "600"});
	expect_usage({"--slower", "0"}, {"'0'", "--slower", "milliseconds"});
	expect_usage({"--slower", "abc"}, {"'abc'", "--slower", "milliseconds"});
	expect_usage({"--slower", "0.0000001"}, {"--slower"});
	expect_usage({"--slower", "86400000.1"}, {"--slower", "out of range"});
	expect_usage({"--stuck", "-1"}, {"'-1'", "--stuck"});
	expect_usage({"--max-age", "31536001"}, {"'31536001'", "31536000"});
}

TEST(cli, bad_interval_and_count)
{
	for (const std::string value :
	     {"abc", "0", "0.0", "0.009999999", "86400.1", "1s", "1e3", "inf", "nan", "1.", ".",
	      "0,5", "", "1.0000000001", "99999999999999999999", "18446744073.8", "-"})
		expect_usage({"--", value},
			     {"'" + value + "'", "the interval", "seconds", "0.01 to 86400"});
	for (const std::string value : {"0", "x", "1.5", "4294967296"})
		expect_usage({"1", value}, {"'" + value + "'", "the count", "1 to 4294967295"});
}

TEST(cli, bad_words)
{
	expect_usage({"-f", "xml"},
		     {"'xml'", "-f/--format", "table, json, csv, prometheus, openmetrics or html"});
	expect_usage({"-f", "jso"}, {"'jso'"});
	expect_usage({"--by", "foo"}, {"'foo'", "-b/--by", "mpath, op, size"});
	expect_usage({"-b", "sid,foo"}, {"'sid,foo'"});
	expect_usage({"-b", "sid,"}, {"'sid,'"});
	expect_usage({"-b", ""}, {"''"});
	expect_usage({"--op", "trim"}, {"'trim'", "--op", "read, write, other"});
	expect_usage({"--without", "everything"}, {"'everything'", "--without", "dequeue"});
	expect_usage({"--attach", "uprobe"}, {"'uprobe'", "--attach", "fentry"});
}

TEST(cli, bad_percentiles)
{
	for (const std::string value : {"0", "100.1", "50,", ",50", "50;99", "x", "", "50,50",
					"99.99999", "1,2,3,4,5,6,7,8,9", "-1", "1e1"})
		expect_usage({"-p", value}, {"'" + value + "'", "-p/--percentiles", "100"});
}

TEST(cli, names_as_long_as_the_protocol_allows)
{
	const std::string longest(223, 'n'), longer(224, 'n');

	EXPECT_EQ(Names({longest}), names(Parsed({"-t", longest}).options.filter.targets));
	expect_usage({"-t", longer}, {longer, "-t/--target", "223 bytes"});
	expect_usage({"-i", longer}, {"-i/--initiator", "223 bytes"});
}

TEST(cli, empty_and_unprintable_values)
{
	for (const std::string option : {"-t", "-i", "-d", "-o", "--record", "--replay"})
		expect_usage({option, ""}, {"''"});
	expect_usage({"-t", "iqn\x1b[2J"}, {"'iqn\\x1b[2J'"});
	expect_usage({"-d", "sd\na"}, {"'sd\\x0aa'"});
}

TEST(cli, hooks_left_out)
{
	Parsed p({"--without", "r2t", "--without", "dequeue", "--check", "-j"});

	ASSERT_EQ(CLI_RUN, p.result) << p.err;
	EXPECT_EQ(1u << 3 | 1u << 1, p.options.without);
	EXPECT_TRUE(p.options.check);
	EXPECT_EQ(FORMAT_JSON, p.options.format);
}

TEST(cli, module_btf)
{
	Parsed p({"--module-btf", "libiscsi=a=b", "--module-btf", "libiscsi_tcp=c"});

	ASSERT_EQ(CLI_RUN, p.result) << p.err;
	EXPECT_STREQ("a=b", p.options.libiscsi_btf);
	EXPECT_STREQ("c", p.options.libiscsi_tcp_btf);
	for (const char *bad : {"libiscsi", "libiscsi=", "=a", "iscsi_tcp=a", "libiscsi_tcpx=a"})
		expect_usage({"--module-btf", bad}, {"--module-btf", "libiscsi=FILE"});
}

TEST(cli, kernel_btf_and_drop)
{
	Parsed p({"--btf", "a", "--drop"}), plain({});

	ASSERT_EQ(CLI_RUN, p.result) << p.err;
	EXPECT_STREQ("a", p.options.btf);
	EXPECT_TRUE(p.options.drop);
	EXPECT_EQ(nullptr, plain.options.btf);
	EXPECT_FALSE(plain.options.drop);
	expect_usage({"--btf", ""}, {"--btf"});
	expect_usage({"--btf", "a", "--attach", "fentry"}, {"--btf", "--attach"});
	expect_usage({"--btf", "a", "--replay", "b"}, {"--btf", "--replay"});
	expect_usage({"--drop", "--replay", "b"}, {"--drop", "--replay"});
	expect_usage({"--drop", "--check"}, {"--drop", "--check"});
}

TEST(cli, exclusive_pairs)
{
	expect_usage({"-j", "-f", "table"}, {"-j/--json", "-f/--format"});
	expect_usage({"-f", "table", "-j"}, {"-j/--json", "-f/--format"});
	expect_usage({"-j", "--columns", "SID"}, {"--columns", "-j/--json"});
	expect_usage({"-f", "openmetrics", "--columns", "SID"}, {"--columns", "-f/--format"});
	expect_usage({"--columns", "SID", "-x"}, {"--columns", "-x/--extended"});
	expect_usage({"--columns", "SID\n"}, {"--columns"});
	expect_usage({"-j", "-f", "prometheus"}, {"-j/--json", "-f/--format"});
	expect_usage({"-1", "1", "2"}, {"-1/--once", "the count"});
	expect_usage({"-once", "1", "2"}, {"--once"});
	expect_usage({"-v", "-q"}, {"--verbose", "--quiet"});
	expect_usage({"--record", "a", "--replay", "b"}, {"--record", "--replay"});
	expect_usage({"--attach", "auto", "--replay", "b"}, {"--attach", "--replay"});
	expect_usage({"--check", "--replay", "b"}, {"--check", "--replay"});
	expect_usage({"--check", "-o", "b"}, {"--check", "--output"});
	expect_usage({"--check", "1"}, {"--check", "the interval"});
	expect_usage({"--without", "r2t", "--replay", "b"}, {"--without", "--replay"});
	expect_usage({"--no-module-btf", "--replay", "b"}, {"--no-module-btf", "--replay"});
	expect_usage({"--no-module-btf", "--attach", "fentry"}, {"--no-module-btf", "--attach"});
	expect_usage({"--max-keys", "5", "--replay", "b"}, {"--max-keys", "--replay"});
	expect_usage({"--max-inflight", "5", "--replay", "b"}, {"--max-inflight"});
	expect_usage({"--max-age", "600", "--replay", "b"}, {"--max-age"});
	expect_usage({"-e", "--slower", "5"}, {"--events", "--slower"});
	expect_usage({"-o", "a", "--record", "a"}, {"--output", "--record"});
	expect_usage({"-o", "a", "--replay", "a"}, {"--output", "--replay"});
	EXPECT_EQ(CLI_RUN, Parsed({"-o", "a", "--record", "b"}).result);
}

TEST(cli, help)
{
	Parsed p({"--help"});
	size_t start = 0;

	EXPECT_EQ(CLI_EXIT, p.result);
	EXPECT_EQ("", p.err);
	EXPECT_EQ(p.out, Parsed({"-h"}).out);
	for (const char *part : {"Usage: storprototrace [options] [interval [count]]",
				 "-s, --sid N", "--max-age SECONDS", "Exit status: 0 ok"})
		EXPECT_NE(std::string::npos, p.out.find(part)) << part;
	EXPECT_GT(p.out.find("Examples:"), p.out.find("--version"));
	while (start < p.out.size()) {
		size_t end = p.out.find('\n', start);

		ASSERT_NE(std::string::npos, end);
		EXPECT_LE(end - start, 80u) << p.out.substr(start, end - start);
		start = end + 1;
	}
}

TEST(cli, help_with_columns)
{
	cli_help_columns([](FILE *out) { fputs("Columns:\n  r/s\n", out); });
	Parsed p({"--help"});
	cli_help_columns(nullptr);
	size_t columns = p.out.find("\n\nColumns:\n  r/s\n\n");

	ASSERT_NE(std::string::npos, columns);
	EXPECT_LT(columns, p.out.find("Examples:"));
	EXPECT_EQ(std::string::npos, Parsed({"-h"}).out.find("Columns:"));
}

TEST(cli, version)
{
	Parsed p({"-V"});

	EXPECT_EQ(CLI_EXIT, p.result);
	EXPECT_EQ(0u, p.out.find("storprototrace "));
	EXPECT_EQ('\n', p.out.back());
	EXPECT_EQ(p.out, Parsed({"--version"}).out);
}

/* Help ends the parse where it stands: an error before it wins, one behind it is not seen. */
TEST(cli, help_and_errors)
{
	EXPECT_EQ(CLI_EXIT, Parsed({"-h", "-s", "x"}).result);
	expect_usage({"-s", "x", "-h"}, {"'x'"});
}

TEST(cli, parses_again_after_an_error_within_an_argument)
{
	expect_usage({"-zYx", "1"}, {"-Y"});
	Parsed p({"-x", "2"});

	EXPECT_EQ(CLI_RUN, p.result);
	EXPECT_TRUE(p.options.extended);
	EXPECT_FALSE(p.options.hide_idle);
	EXPECT_EQ(2000000000u, p.options.interval_ns);
}

} /* namespace */
