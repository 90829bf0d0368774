/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Recordings: exact round trips, cut-off and appended files, and files that mean harm. */
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>
#include <unistd.h>
#include <gtest/gtest.h>
#include "iscsi_bpf/record.h"

namespace
{

struct Reading : reading {
	Reading()
	{
		reading_init(this);
	}
	~Reading()
	{
		reading_deinit(this);
	}
	Reading(const Reading &) = delete;
	Reading &operator=(const Reading &) = delete;
};

struct Close {
	void operator()(struct source *source) const
	{
		source->ops->close(source);
	}
};
using Source = std::unique_ptr<struct source, Close>;

class Recording : public testing::Test
{
      protected:
	std::string path_ = testing::TempDir() + "record_check." + std::to_string(getpid());

	~Recording() override
	{
		unlink(path_.c_str());
	}

	void write(const std::string &text)
	{
		std::ofstream(path_, std::ios::binary) << text;
	}

	std::string text()
	{
		std::ostringstream out;

		out << std::ifstream(path_, std::ios::binary).rdbuf();
		return out.str();
	}

	Source open(int expected = 0)
	{
		struct source *source = nullptr;

		EXPECT_EQ(expected, replay_open(path_.c_str(), &source));
		return Source(source);
	}

	/* Readings that are played; `err` is what ended them. */
	int play(int &err)
	{
		struct source *source = nullptr;
		int count = 0;

		err = replay_open(path_.c_str(), &source);
		if (err)
			return 0;
		Source owner(source);
		for (;; count++) {
			Reading r;

			err = source->ops->read(source, &r);
			if (err)
				break;
		}
		return count;
	}

	void record(const std::vector<const struct reading *> &readings)
	{
		struct recorder *recorder = nullptr;

		ASSERT_EQ(0, recorder_open(path_.c_str(), &recorder));
		for (const struct reading *r : readings)
			EXPECT_EQ(0, recorder_write(recorder, r));
		EXPECT_EQ(0, recorder_close(recorder));
	}
};

/* Different numbers everywhere, so that no two members can be swapped unseen. */
void fill_row(struct reading_row *row, uint64_t first)
{
	auto *number = reinterpret_cast<uint64_t *>(&row->sums);

	for (size_t i = 0; i < sizeof(row->sums) / sizeof(*number); i++)
		number[i] = first + i;
	row->inflight = UINT32_MAX - static_cast<uint32_t>(first);
	row->stages[STAGE_BUSY] = {7, first};
	row->stages[STAGE_DONE] = {row->inflight - 7, UINT64_MAX};
}

void fill(struct reading *r)
{
	const struct sums_key keys[] = {
		{1, 0, 0, OP_READ, SIZE_ALL, {}},
		{1, 0, 0, OP_WRITE, SIZE_4K, {}},
		{UINT32_MAX, 7, UINT64_MAX - 1, OP_OTHER, SIZE_MORE, {}},
	};
	const struct sums_key coarse = {1, 0, LUN_ANY, OP_READ, SIZE_ALL, {}};
	uint64_t first = 1000;

	r->number = 3;
	r->start_ns = 1796000000123456789;
	r->length_ns = 1000000007;
	r->stages_known = STAGES_ALL_KNOWN & ~(1U << STAGE_SEND);
	for (int i = 0; i < LOSS_COUNT; i++)
		r->loss[i] = 100 + i;
	r->loss[LOSS_PROBE_MISSES] = LOSS_UNKNOWN;
	for (const struct sums_key &key : keys)
		fill_row(reading_row(r, &key), first *= 1000);
	reading_row(r, &keys[0])->sums.bytes = UINT64_MAX;
	reading_row(r, &keys[0])->sums.stage[STAGE_TOTAL].sum_ns = 9007199254740993;
	for (int s = 0; s < STAGE_COUNT; s++) {
		reading_hist(r, &coarse)->bucket[s][0] = 1 + s;
		reading_hist(r, &coarse)->bucket[s][LAT_HIST_BUCKETS - 1 - s] = 9007199254740992;
	}
	reading_hist(r, &keys[2]);
}

void name(struct reading *r)
{
	struct session_name *plain = reading_session(r, 1),
			    *hostile = reading_session(r, 4294967295);
	struct lun_name *lun = reading_lun(r, 1, UINT64_MAX - 1);

	strcpy(plain->target, "iqn.2026-11.com.example:disk0");
	strcpy(plain->initiator, "iqn.1993-08.org.debian:01:abc");
	strcpy(plain->portal, "[fe80::1]:3260");
	plain->nops = {1009, UINT64_MAX, 9007199254740993, 3};
	hostile->nops = {0, 0, 0, 1};
	plain->cmds_max = 128;
	plain->window_known = true;
	hostile->cid = UINT32_MAX;
	hostile->cmdsn_window = hostile->cmds_max = UINT32_MAX;
	hostile->window_known = true;
	memset(hostile->target, 'x', ISCSI_NAME_SIZE - 1);
	strcpy(hostile->initiator, "\x1b[31m\"\\/\n\t\x7f \xff\xfe \xc3\xa9");
	strcpy(lun->disk, "sda");
	strcpy(lun->devno, "8:0");
	strcpy(lun->dm, "dm-0");
	strcpy(lun->mpath, "mpatha");
	lun->queue_depth = UINT32_MAX;
	reading_lun(r, 1, 0);
}

void expect_same_rows(const struct reading &a, const struct reading &b)
{
	ASSERT_EQ(a.row_count, b.row_count);
	for (size_t i = 0; i < a.row_count; i++) {
		EXPECT_EQ(0, memcmp(&a.rows[i].key, &b.rows[i].key, sizeof(a.rows[i].key))) << i;
		EXPECT_EQ(0, memcmp(&a.rows[i].sums, &b.rows[i].sums, sizeof(a.rows[i].sums))) << i;
		EXPECT_EQ(a.rows[i].inflight, b.rows[i].inflight) << i;
		EXPECT_EQ(0, memcmp(a.rows[i].stages, b.rows[i].stages, sizeof(a.rows[i].stages)))
			<< i;
	}
	ASSERT_EQ(a.hist_count, b.hist_count);
	for (size_t i = 0; i < a.hist_count; i++)
		EXPECT_EQ(0, memcmp(&a.hists[i], &b.hists[i], sizeof(a.hists[i]))) << i;
}

void expect_same_names(const struct reading &a, const struct reading &b)
{
	ASSERT_EQ(a.session_count, b.session_count);
	for (size_t i = 0; i < a.session_count; i++) {
		EXPECT_EQ(a.sessions[i].sid, b.sessions[i].sid);
		EXPECT_EQ(a.sessions[i].cid, b.sessions[i].cid);
		EXPECT_STREQ(a.sessions[i].target, b.sessions[i].target);
		EXPECT_STREQ(a.sessions[i].initiator, b.sessions[i].initiator);
		EXPECT_STREQ(a.sessions[i].portal, b.sessions[i].portal);
		EXPECT_EQ(0, memcmp(&a.sessions[i].nops, &b.sessions[i].nops,
				    sizeof(a.sessions[i].nops)));
		EXPECT_EQ(a.sessions[i].cmds_max, b.sessions[i].cmds_max);
		EXPECT_EQ(a.sessions[i].cmdsn_window, b.sessions[i].cmdsn_window);
		EXPECT_EQ(a.sessions[i].window_known, b.sessions[i].window_known);
	}
	ASSERT_EQ(a.lun_count, b.lun_count);
	for (size_t i = 0; i < a.lun_count; i++) {
		EXPECT_EQ(a.luns[i].sid, b.luns[i].sid);
		EXPECT_EQ(a.luns[i].lun, b.luns[i].lun);
		EXPECT_STREQ(a.luns[i].disk, b.luns[i].disk);
		EXPECT_STREQ(a.luns[i].devno, b.luns[i].devno);
		EXPECT_STREQ(a.luns[i].dm, b.luns[i].dm);
		EXPECT_STREQ(a.luns[i].mpath, b.luns[i].mpath);
		EXPECT_EQ(a.luns[i].queue_depth, b.luns[i].queue_depth);
	}
}

void expect_same(const struct reading &a, const struct reading &b)
{
	EXPECT_EQ(a.number, b.number);
	EXPECT_EQ(a.start_ns, b.start_ns);
	EXPECT_EQ(a.length_ns, b.length_ns);
	EXPECT_EQ(a.stages_known, b.stages_known);
	EXPECT_EQ(a.hists_by_lun, b.hists_by_lun);
	for (int i = 0; i < LOSS_COUNT; i++)
		EXPECT_EQ(a.loss[i], b.loss[i]) << i;
	expect_same_rows(a, b);
	expect_same_names(a, b);
}

TEST_F(Recording, comes_back_to_the_bit)
{
	Reading full, empty, got;

	fill(&full);
	name(&full);
	empty.hists_by_lun = true;
	record({&full, &empty});

	Source source = open();
	ASSERT_TRUE(source);
	EXPECT_FALSE(source->live);
	ASSERT_EQ(0, source->ops->read(source.get(), &got));
	expect_same(full, got);
	reading_deinit(&got);
	ASSERT_EQ(0, source->ops->read(source.get(), &got));
	expect_same(empty, got);
	EXPECT_EQ(-ENODATA, source->ops->read(source.get(), &got));
	EXPECT_EQ(-ENODATA, source->ops->read(source.get(), &got));
}

/* Every number of its own; what does not apply to the type stays unknown. */
void fill_event(struct event *event, uint64_t first)
{
	for (size_t i = 0; i < event_member_count; i++)
		if (event_members[i].types >> event->type & 1)
			event_set(event, &event_members[i], first + i);
	if (event->type == EVENT_SESSION) {
		event->turn = SESSION_ABORT;
		event->outcome = OUTCOME_FAILED;
		return;
	}
	event->op = OP_WRITE;
	event->stage = STAGE_DONE;
	for (int i = 0; i < STAGE_COUNT && event->type == EVENT_COMMAND; i++)
		event->stage_ns[i] = UINT64_MAX - 1 - i;
}

TEST_F(Recording, events_come_back_to_the_bit)
{
	Reading r, got;

	for (uint32_t type : {EVENT_COMMAND, EVENT_STUCK, EVENT_SESSION, EVENT_COMMAND})
		fill_event(reading_event(&r, static_cast<enum event_type>(type)), 1000 * type + 7);
	r.events[0].sense = EVENT_NONE_32;
	r.events[0].lba = EVENT_NONE;
	r.events[0].stage_ns[STAGE_BLOCK] = EVENT_NONE;
	r.events[1].lun = 9007199254740993;
	record({&r});
	Source source = open();
	ASSERT_TRUE(source);
	ASSERT_EQ(0, source->ops->read(source.get(), &got));
	ASSERT_EQ(r.event_count, got.event_count);
	for (size_t i = 0; i < r.event_count; i++)
		EXPECT_EQ(0, memcmp(&r.events[i], &got.events[i], sizeof(r.events[i]))) << i;
}

TEST_F(Recording, keeps_names_beyond_ascii)
{
	/* Bytes from 0x80 to 0xff, as UTF-8 and as none, and the first and last characters of each
	 * length. */
	std::string all;

	for (int byte = 0x80; byte <= 0xff; byte++)
		all += static_cast<char>(byte);
	for (const std::string &target :
	     {std::string("iqn.2026-11.de.m\xc3\xbcller:gr\xc3\xb6\xc3\x9f\x65"),
	      std::string(
		      "\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
	      all}) {
		Reading r, got;

		strcpy(reading_session(&r, 1)->target, target.c_str());
		strcpy(reading_lun(&r, 1, 0)->mpath, "gr\xc3\xbcn");
		record({&r});
		Source source = open();
		ASSERT_TRUE(source);
		ASSERT_EQ(0, source->ops->read(source.get(), &got)) << target;
		EXPECT_EQ(target, got.sessions[0].target);
		expect_same(r, got);
	}
}

TEST_F(Recording, one_line_each)
{
	Reading r;

	fill(&r);
	name(&r);
	record({&r, &r, &r});
	std::string all = text();
	EXPECT_EQ(4, std::count(all.begin(), all.end(), '\n'));
	EXPECT_EQ(0u, all.find("{\"storprototrace_recording\":1}\n"));
}

TEST_F(Recording, cut_anywhere_plays_what_is_whole)
{
	Reading r;
	struct sums_key key = {1, 0, 0, OP_READ, SIZE_ALL, {}};

	reading_row(&r, &key)->sums.ios = 1009;
	reading_hist(&r, &key)->bucket[STAGE_TOTAL][17] = 1009;
	reading_session(&r, 1);
	reading_lun(&r, 1, 0);
	for (int type = 0; type < EVENT_TYPE_COUNT; type++) {
		struct event *event = reading_event(&r, static_cast<event_type>(type));

		event->time_ns = event->age_ns = event->stage_ns[STAGE_TOTAL] = 1;
		event->sid = event->turn = event->op = event->stage = 0;
	}
	record({&r, &r});
	std::string all = text();
	size_t header = all.find('\n'), first = all.find('\n', header + 1);

	for (size_t length = 0; length <= all.size(); length++) {
		/* Without its newline a line is whole. */
		int whole = (length >= first) + (length >= all.size() - 1);
		bool none = length >= header && !whole;
		bool cut = length > header + 1 && length < all.size() - 1 && length != first &&
			   length != first + 1;
		int err;

		write(all.substr(0, length));
		testing::internal::CaptureStderr();
		EXPECT_EQ(whole, play(err)) << length;
		std::string said = testing::internal::GetCapturedStderr();
		EXPECT_EQ(length < header ? -EINVAL : -ENODATA, err) << length;
		EXPECT_EQ(cut, said.find("is cut off") != std::string::npos) << length << said;
		EXPECT_EQ(none, said.find("no whole interval") != std::string::npos) << said;
		EXPECT_EQ(cut || none || length < header, !said.empty()) << length << said;
	}
}

TEST_F(Recording, without_an_interval_is_an_error_where_one_is_required)
{
	Reading r, got;

	record({});
	Source source = open();
	replay_require(source.get());
	EXPECT_EQ(-ENOENT, source->ops->read(source.get(), &got));
	record({&r});
	source = open();
	replay_require(source.get());
	EXPECT_EQ(0, source->ops->read(source.get(), &got));
	EXPECT_EQ(-ENODATA, source->ops->read(source.get(), &got));
}

TEST_F(Recording, goes_on_in_a_new_file)
{
	struct recorder *recorder = nullptr;
	std::string moved = path_ + ".1";
	Reading r;
	int err;

	ASSERT_EQ(0, recorder_open(path_.c_str(), &recorder));
	EXPECT_EQ(0, recorder_write(recorder, &r));
	ASSERT_EQ(0, rename(path_.c_str(), moved.c_str()));
	EXPECT_EQ(0, recorder_reopen(recorder));
	EXPECT_EQ(0, recorder_write(recorder, &r));
	EXPECT_EQ(0, recorder_write(recorder, &r));
	EXPECT_EQ(0, recorder_close(recorder));
	EXPECT_EQ(2, play(err));
	ASSERT_EQ(0, rename(moved.c_str(), path_.c_str()));
	EXPECT_EQ(1, play(err));
}

TEST_F(Recording, appends_with_a_header_in_the_middle)
{
	struct recorder *recorder = nullptr;
	Reading r;
	int err;

	ASSERT_EQ(0, recorder_open(path_.c_str(), &recorder));
	EXPECT_EQ(0, recorder_write(recorder, &r));
	EXPECT_EQ(0, recorder_reopen(recorder));
	EXPECT_EQ(0, recorder_write(recorder, &r));
	EXPECT_EQ(0, recorder_close(recorder));
	EXPECT_EQ(2, play(err));
	EXPECT_EQ(-ENODATA, err);
}

TEST_F(Recording, appends_after_a_line_that_was_cut_off)
{
	struct recorder *recorder = nullptr;
	Reading r;
	int err;

	ASSERT_EQ(0, recorder_open(path_.c_str(), &recorder));
	EXPECT_EQ(0, recorder_write(recorder, &r));
	std::ofstream(path_, std::ios::app) << "{\"reading\":{\"num";
	EXPECT_EQ(0, recorder_reopen(recorder));
	EXPECT_EQ(0, recorder_write(recorder, &r));
	EXPECT_EQ(0, recorder_close(recorder));
	testing::internal::CaptureStderr();
	EXPECT_EQ(2, play(err));
	EXPECT_NE(std::string::npos,
		  testing::internal::GetCapturedStderr().find("line 3 is cut off"));
	EXPECT_EQ(-ENODATA, err);
}

TEST_F(Recording, that_cannot_be_written)
{
	struct recorder *recorder = nullptr;

	EXPECT_EQ(-ENOSPC, recorder_open("/dev/full", &recorder));
	EXPECT_EQ(-ENOENT, recorder_open("/nonexistent/x", &recorder));
	EXPECT_EQ(nullptr, recorder);
	EXPECT_EQ(0, recorder_close(nullptr));
}

TEST_F(Recording, that_cannot_be_opened_again_goes_on_where_it_was)
{
	struct recorder *recorder = nullptr;
	std::string folder = path_ + ".d", moved = path_ + ".e";
	Reading r;
	int err;

	ASSERT_EQ(0, system(("mkdir " + folder).c_str()));
	ASSERT_EQ(0, recorder_open((folder + "/f").c_str(), &recorder));
	ASSERT_EQ(0, rename(folder.c_str(), moved.c_str()));
	EXPECT_EQ(-ENOENT, recorder_reopen(recorder));
	EXPECT_EQ(0, recorder_write(recorder, &r));
	EXPECT_EQ(0, recorder_close(recorder));
	ASSERT_EQ(0, rename((moved + "/f").c_str(), path_.c_str()));
	EXPECT_EQ(0, rmdir(moved.c_str()));
	EXPECT_EQ(1, play(err));
}

/* What is said when the file is played. */
std::string said_about(const std::string &path, int expected)
{
	struct source *source = nullptr;

	testing::internal::CaptureStderr();
	EXPECT_EQ(expected, replay_open(path.c_str(), &source)) << path;
	return testing::internal::GetCapturedStderr();
}

TEST_F(Recording, that_is_none)
{
	for (const char *other : {"", "\n", "hello\n", "{}\n", "[]\n", "{\"reading\":{}}\n", "1"}) {
		write(other);
		EXPECT_NE(std::string::npos,
			  said_about(path_, -EINVAL).find(path_ + ": it is no recording"))
			<< other;
	}
	EXPECT_NE(std::string::npos,
		  said_about("/nonexistent", -ENOENT).find("/nonexistent: No such file"));
	EXPECT_NE(std::string::npos, said_about("/tmp", -EISDIR).find("/tmp: Is a directory"));
	EXPECT_NE(std::string::npos, said_about("/dev/zero", -EINVAL).find("line 1: too long"));
}

TEST_F(Recording, of_another_version)
{
	write("{\"storprototrace_recording\":2}\n");
	std::string said = said_about(path_, -EINVAL);
	EXPECT_NE(std::string::npos, said.find(path_ + ": line 1: recorded in format 2")) << said;
	for (const char *wrong : {"0", "-1", "1.0", "\"1\"", "null", "[1]"}) {
		write("{\"storprototrace_recording\":" + std::string(wrong) + "}\n");
		EXPECT_NE(std::string::npos,
			  said_about(path_, -EINVAL).find("line 1: not the header"))
			<< wrong;
	}
}

TEST_F(Recording, of_another_version_further_down)
{
	Reading r;
	int err;

	record({&r});
	write(text() + "{\"storprototrace_recording\":18446744073709551615}\n");
	testing::internal::CaptureStderr();
	EXPECT_EQ(1, play(err));
	EXPECT_EQ(-EINVAL, err);
	EXPECT_NE(std::string::npos,
		  testing::internal::GetCapturedStderr().find("line 3: recorded"));
}

struct Change {
	const char *from, *to;
};

class Hostile : public Recording
{
      protected:
	std::string good_;

	void SetUp() override
	{
		Reading r;
		struct sums_key key = {1, 0, 0, OP_READ, SIZE_4K, {}};

		fill_row(reading_row(&r, &key), 5000);
		reading_hist(&r, &key)->bucket[STAGE_TOTAL][17] = 1009;
		r.number = 7;
		r.stages_known = STAGES_ALL_KNOWN;
		strcpy(reading_session(&r, 1)->target, "iqn.x");
		reading_session(&r, 1)->cmds_max = 128;
		reading_session(&r, 1)->nops = {3, 8, 5, 1};
		strcpy(reading_lun(&r, 1, 0)->disk, "sda");
		reading_lun(&r, 1, 0)->queue_depth = 32;
		record({&r, &r});
		good_ = text();
	}

	std::string changed(const Change &change)
	{
		std::string all = good_;
		size_t at = all.find(change.from);

		EXPECT_NE(std::string::npos, at) << change.from;
		return at == std::string::npos ? all
					       : all.replace(at, strlen(change.from), change.to);
	}

	void expect_refused(const Change &change)
	{
		int err;

		write(changed(change));
		testing::internal::CaptureStderr();
		EXPECT_EQ(0, play(err)) << change.from << " -> " << change.to;
		std::string said = testing::internal::GetCapturedStderr();
		EXPECT_EQ(-EINVAL, err) << change.from << " -> " << change.to;
		EXPECT_NE(std::string::npos, said.find(path_ + ": line 2: ")) << said;
	}
};

TEST_F(Hostile, numbers)
{
	expect_refused({"\"number\":7", "\"number\":-7"});
	expect_refused({"\"number\":7", "\"number\":7.0"});
	expect_refused({"\"number\":7", "\"number\":\"7\""});
	expect_refused({"\"number\":7", "\"number\":null"});
	expect_refused({"\"number\":7,", ""});
	expect_refused({"\"sid\":1", "\"sid\":4294967296"});
	expect_refused({"\"sid\":1", "\"sid\":-1"});
	expect_refused({"\"cid\":0", "\"cid\":4294967296"});
	expect_refused({"\"lun\":0", "\"lun\":[]"});
	expect_refused({"\"inflight\":4294962295", "\"inflight\":4294967296"});
	expect_refused({"\"ios\":5000", "\"ios\":true"});
	expect_refused({"\"map_full\":0", "\"map_full\":-1"});
	expect_refused({"\"map_full\":0", "\"map_full\":{}"});
}

TEST_F(Hostile, names)
{
	expect_refused({"\"iqn.x\"", "7"});
	expect_refused({"\"iqn.x\"", "null"});
	expect_refused({"\"iqn.x\"", "\"iqn\\u0000x\""});
	expect_refused({"\"iqn.x\"", ("\"" + std::string(224, 'x') + "\"").c_str()});
	expect_refused({"\"sda\"", ("\"" + std::string(32, 'x') + "\"").c_str()});
	expect_refused({"\"op\":\"read\"", "\"op\":\"all\""});
	expect_refused({"\"op\":\"read\"", "\"op\":\"scan\""});
	expect_refused({"\"op\":\"read\"", "\"op\":0"});
	expect_refused({"\"size\":\"<=4K\"", "\"size\":\"<=5K\""});
	expect_refused({"\"stages_known\":[\"block\"", "\"stages_known\":[\"blocks\""});
	expect_refused({"\"stages_known\":[\"block\"", "\"stages_known\":[1"});
	expect_refused({"\"stages_known\":[\"block\"", "\"stages_known\":[\"block\",\"block\""});
	expect_refused({"\"hists_by_lun\":false", "\"hists_by_lun\":0"});
}

TEST_F(Hostile, inflight_gauges_nops)
{
	expect_refused({"\"busy\":[7,5000]", "\"busy\":[8,5000]"});
	expect_refused({"\"busy\":[7,5000]", "\"busy\":[6,5000]"});
	expect_refused({"\"busy\":[7,5000]", "\"busy\":[7]"});
	expect_refused({"\"busy\":[7,5000]", "\"busy\":[18446744073709551615,5000]"});
	expect_refused({"\"inflight_stages\":{", "\"inflight_stages\":[],\"x\":{"});
	expect_refused({"\"inflight_stages\":{", "\"inflight_stages\":null,\"x\":{"});
	expect_refused({"\"refused_window\":5007", "\"refused_window\":-1"});
	expect_refused({"\"cmds_max\":128", "\"cmds_max\":-1"});
	expect_refused({"\"cmds_max\":128", "\"cmds_max\":128,\"cmdsn_window\":4294967296"});
	expect_refused({"\"queue_depth\":32", "\"queue_depth\":\"32\""});
	expect_refused({"\"nops\":[3,8,5,1]", "\"nops\":[3,8,5]"});
	expect_refused({"\"nops\":[3,8,5,1]", "\"nops\":[3,8,5,-1]"});
	expect_refused({"\"nops\":[3,8,5,1]", "\"nops\":0"});
}

/* Not known is neither 0 nor a reason to refuse it. */
TEST_F(Hostile, an_older_recording)
{
	std::string all = good_;

	for (std::string member :
	     {",\"cmds_max\":128", ",\"queue_depth\":32", ",\"nops\":[3,8,5,1]",
	      ",\"refused_window\":5007", ",\"refused_no_task\":5008"}) {
		ASSERT_NE(std::string::npos, all.find(member)) << member;
		all.erase(all.find(member), member.size());
	}
	size_t stages = all.find(",\"inflight_stages\":{");
	all.erase(stages, all.find('}', stages) + 1 - stages);
	write(all);
	Source source = open();
	Reading r;
	ASSERT_EQ(0, source->ops->read(source.get(), &r));
	EXPECT_EQ(4294962295U, r.rows[0].inflight);
	for (const struct inflight_stage &stage : r.rows[0].stages)
		EXPECT_EQ(0U, stage.count);
	EXPECT_EQ(0U, r.rows[0].sums.refused_window);
	EXPECT_EQ(5006U, r.rows[0].sums.refused);
	EXPECT_EQ(0U, r.sessions[0].cmds_max);
	EXPECT_FALSE(r.sessions[0].window_known);
	EXPECT_EQ(0U, r.sessions[0].nops.count);
	EXPECT_EQ(0U, r.luns[0].queue_depth);
}

class HostileEvents : public Recording
{
      protected:
	std::string good_;

	void SetUp() override
	{
		Reading r;

		fill_event(reading_event(&r, EVENT_COMMAND), 20);
		fill_event(reading_event(&r, EVENT_STUCK), 60);
		record({&r});
		good_ = text();
	}

	void expect_refused(const std::string &from, const std::string &to)
	{
		std::string all = good_;
		int err;

		ASSERT_NE(std::string::npos, all.find(from)) << from;
		all.replace(all.find(from), from.size(), to);
		write(all);
		testing::internal::CaptureStderr();
		EXPECT_EQ(0, play(err)) << to;
		testing::internal::GetCapturedStderr();
		EXPECT_EQ(-EINVAL, err) << to;
	}
};

TEST_F(HostileEvents, are_refused)
{
	expect_refused("\"type\":\"command\"", "\"type\":\"comma\"");
	expect_refused("\"type\":\"command\"", "\"type\":7");
	expect_refused("\"time_ns\":20", "\"time_ns\":null");
	expect_refused("\"time_ns\":20", "\"time_ns\":-1");
	expect_refused("\"sid\":21", "\"sid\":4294967296");
	expect_refused("\"sid\":21", "\"sid\":null");
	expect_refused("\"op\":1", "\"op\":3");
	expect_refused("\"stage\":8", "\"stage\":9");
	expect_refused("\"attempts\":", "\"attempts\":[],\"x\":");
	expect_refused("\"stages\":[", "\"stages\":[1,");
	expect_refused("\"stages\":[", "\"stages\":{},\"x\":[");
	expect_refused("18446744073709551605]", "null]");
	expect_refused("18446744073709551605]", "-5]");
	expect_refused("\"age_ns\":", "\"age_ns\":null,\"x\":");
}

TEST_F(Hostile, shapes)
{
	expect_refused({"{\"reading\":", "{\"event\":"});
	expect_refused({"\"rows\":[", "\"rows\":[null,"});
	expect_refused({"\"rows\":[", "\"rows\":[[],"});
	expect_refused({"\"rows\":[", "\"row\":["});
	expect_refused({"\"hists\":[", "\"hists\":{},\"x\":["});
	expect_refused({"\"sessions\":[", "\"sessions\":[1,"});
	expect_refused({"\"luns\":[", "\"luns\":[\"\","});
	expect_refused({"\"total\":[5033,5034]", "\"total\":[5033]"});
	expect_refused({"\"total\":[5033,5034]", "\"total\":[5033,5034,1]"});
	expect_refused({"\"total\":[5033,5034]", "\"total\":[5033,-1]"});
	expect_refused({"\"phase_max_ns\":[5035,", "\"phase_max_ns\":["});
	expect_refused({"\"phase_max_ns\":[5035,", "\"phase_max_ns\":[0,5035,"});
	expect_refused({"\"loss\":{", "\"loss\":[],\"x\":{"});
	expect_refused({"{\"reading\":", "{{\"reading\":"});
	expect_refused({"{\"reading\":", "[[[[[[[[[[[[[[[[[[[["});
}

TEST_F(Hostile, buckets)
{
	expect_refused({"[17,1009]", "[210,1009]"});
	expect_refused({"[17,1009]", "[18446744073709551615,1009]"});
	expect_refused({"[17,1009]", "[-1,1009]"});
	expect_refused({"[17,1009]", "[17,1009],[17,1]"});
	expect_refused({"[17,1009]", "[17,0]"});
	expect_refused({"[17,1009]", "[17,18446744073709551615]"});
	expect_refused({"[17,1009]", "[17]"});
	expect_refused({"[17,1009]", "17"});
	expect_refused({"[17,1009]", "null"});
}

TEST_F(Hostile, duplicates)
{
	const char *session = "{\"sid\":1,\"cid\":0,\"target\":\"iqn.x\",";
	std::string twice =
		"{\"sid\":1,\"cid\":0,\"target\":\"\",\"initiator\":\"\",\"portal\":\"\"},";
	std::string lun =
		"{\"sid\":1,\"lun\":0,\"disk\":\"\",\"devno\":\"\",\"dm\":\"\",\"mpath\":\"\"},";
	size_t row = good_.find("\"rows\":[") + 8, hist = good_.find("\"hists\":[") + 9;
	std::string same_row = "\"rows\":[" + good_.substr(row, hist - 11 - row) + ",";
	std::string same_hist =
		"\"hists\":[" + good_.substr(hist, good_.find("]}\n", hist) - hist) + ",";

	expect_refused({session, (twice + session).c_str()});
	expect_refused({"\"luns\":[", ("\"luns\":[" + lun).c_str()});
	expect_refused({"\"rows\":[", same_row.c_str()});
	expect_refused({"\"hists\":[", same_hist.c_str()});
}

TEST_F(Hostile, a_broken_line_in_the_middle_is_no_cut_off_end)
{
	expect_refused({"{\"reading\":", ""});
	expect_refused({"{\"reading\":", std::string("x").c_str()});
}

TEST_F(Hostile, something_behind_the_end_of_a_line)
{
	for (const char *more :
	     {"x", "}", "]", "{}", "{", "0", "\"", "null", " x", ",", "\xc3\xa9"}) {
		std::string all = good_;
		int err;

		all.insert(all.find('\n', all.find('\n') + 1), more);
		write(all);
		testing::internal::CaptureStderr();
		EXPECT_EQ(0, play(err)) << more;
		std::string said = testing::internal::GetCapturedStderr();
		EXPECT_EQ(-EINVAL, err) << more;
		EXPECT_NE(std::string::npos, said.find(path_ + ": line 2: not JSON")) << said;

		write("{\"storprototrace_recording\":1}" + std::string(more) + "\n");
		EXPECT_NE(std::string::npos, said_about(path_, -EINVAL).find("it is no recording"))
			<< more;
	}
}

TEST_F(Hostile, blanks_around_a_line_are_none)
{
	std::string all = good_;
	int err;

	/* As after a visit to an editor that ends lines with \r\n. */
	for (size_t at = 0; (at = all.find('\n', at)) != std::string::npos; at += 3)
		all.replace(at, 1, " \r\n");
	write(all);
	EXPECT_EQ(2, play(err));
	EXPECT_EQ(-ENODATA, err);
}

TEST_F(Hostile, what_a_later_program_adds_is_passed_over)
{
	int err;

	write(changed({"\"map_full\":0", "\"map_full\":0,\"moon_full\":1"}));
	EXPECT_EQ(2, play(err));
	write(changed({"{\"reading\":", "{\"events\":[],\"reading\":"}));
	EXPECT_EQ(2, play(err));
}

TEST_F(Hostile, a_loss_that_was_not_known_yet_is_unknown)
{
	Reading r;

	write(changed({"\"torn\":0,", ""}));
	Source source = open();
	ASSERT_EQ(0, source->ops->read(source.get(), &r));
	EXPECT_EQ(LOSS_UNKNOWN, r.loss[LOSS_TORN]);
	EXPECT_EQ(0u, r.loss[LOSS_MAP_FULL]);
}

TEST_F(Hostile, nul_bytes)
{
	std::string all = good_;
	int err;

	all[all.find('\n') + 5] = '\0';
	write(all);
	testing::internal::CaptureStderr();
	EXPECT_EQ(0, play(err));
	testing::internal::GetCapturedStderr();
	EXPECT_EQ(-EINVAL, err);
}

TEST_F(Hostile, random_damage_never_crashes)
{
	std::mt19937 random(20261129);
	const std::string alphabet = "0123456789-.{}[],:\"\\ntfe\n\x01\xff";
	int err;

	testing::internal::CaptureStderr();
	for (int round = 0; round < 3000; round++) {
		std::string all = good_;

		for (unsigned hits = 1 + random() % 3; hits > 0; hits--)
			all[random() % all.size()] = alphabet[random() % alphabet.size()];
		write(all);
		EXPECT_LE(play(err), 2);
		EXPECT_TRUE(err == -EINVAL || err == -ENODATA) << err;
	}
	testing::internal::GetCapturedStderr();
}

} // namespace
