/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The live screen without a terminal: order, groupings, cursor, and what fits on a page. */
#include <algorithm>
#include <set>
#include "common_host.h"
extern "C" {
#include "output/said.h"
#include "output/text.h"
#include "output/top_page.h"
}

namespace
{

class Top : public Hists
{
      protected:
	struct options o_;
	struct top_state state_;
	struct columns columns_;
	struct page page_ = {};
	size_t widths_[COLUMNS_MAX] = {};
	uint64_t losses_[LOSS_COUNT] = {};
	std::vector<char *> said_;
	size_t first_ = 0;

	void SetUp() override
	{
		options_init(&o_);
		fill(true);
		begin();
	}

	void TearDown() override
	{
		page_deinit(&page_);
	}

	void begin()
	{
		top_state_init(&state_, &o_);
		regroup();
	}

	/* As the sink does it. */
	void sort()
	{
		counts(state_.options.by, state_.options.hide_idle);
		ASSERT_EQ(0, top_state_sort(&state_, &columns_, &records));
		top_state_follow(&state_, &records);
	}

	void regroup()
	{
		columns_init(&columns_, state_.options.by, &state_.options);
		std::fill(widths_, widths_ + COLUMNS_MAX, 0);
		sort();
	}

	enum top_effect press(int key)
	{
		enum top_effect effect = top_state_key(&state_, key, &columns_, &records);

		if (effect == TOP_RESORT)
			sort();
		if (effect == TOP_REGROUP)
			regroup();
		return effect;
	}

	std::vector<uint32_t> sids()
	{
		std::vector<uint32_t> result;

		for (size_t i = 0; i < records.count; i++)
			result.push_back(records.records[i].sid);
		return result;
	}

	void sort_by(const char *name)
	{
		strcpy(state_.sort, name);
		state_.reversed = false;
		sort();
	}

	std::vector<std::string> draw(size_t rows, size_t columns)
	{
		struct top_view view = {};
		std::vector<std::string> lines;

		view.state = &state_;
		view.reading = &r;
		view.records = &records;
		view.columns = &columns_;
		view.widths = widths_;
		view.first = first_;
		view.losses = losses_;
		view.said = said_.data();
		view.said_count = said_.size();
		page_begin(&page_, rows, columns);
		EXPECT_EQ(0, top_page_draw(&view, &page_));
		first_ = view.first;
		for (size_t i = 0; i < page_.count; i++)
			lines.push_back(page_.lines[i].text);
		return lines;
	}

	size_t line_of(enum page_style style)
	{
		for (size_t i = 0; i < page_.count; i++)
			if (page_.lines[i].style == style)
				return i;
		return SIZE_MAX;
	}
};

using Sids = std::vector<uint32_t>;

TEST_F(Top, who_takes_most_time_comes_first)
{
	/* 110, 40, 0, 0 commands of 45 us; equal ones by initiator, target, session. */
	EXPECT_EQ((Sids{1, 2, 4, 3}), sids());
	EXPECT_STREQ("aqu", columns_.column[top_state_sort_column(&state_, &columns_)].field.name);
	EXPECT_TRUE(top_state_descending(&state_, &columns_));
}

TEST_F(Top, sorts_by_any_column_in_both_directions)
{
	sort_by("infl");
	/* There is no such column: as by default. */
	EXPECT_EQ((Sids{1, 2, 4, 3}), sids());
	sort_by("r/s");
	EXPECT_EQ((Sids{2, 1, 4, 3}), sids());
	EXPECT_EQ(TOP_RESORT, press('r'));
	EXPECT_EQ((Sids{4, 3, 1, 2}), sids());
	sort_by("SID");
	EXPECT_EQ((Sids{1, 2, 3, 4}), sids());
	press('r');
	EXPECT_EQ((Sids{4, 3, 2, 1}), sids());
	sort_by("TARGET");
	EXPECT_EQ((Sids{1, 2, 4, 3}), sids());
	press('r');
	EXPECT_EQ((Sids{3, 4, 1, 2}), sids());
}

TEST_F(Top, what_is_not_known_comes_last_either_way)
{
	sort_by("avg");
	EXPECT_EQ((std::set<uint32_t>{3, 4}), (std::set<uint32_t>{sids()[2], sids()[3]}));
	press('r');
	EXPECT_EQ((std::set<uint32_t>{3, 4}), (std::set<uint32_t>{sids()[2], sids()[3]}));
}

TEST_F(Top, every_column_can_be_sorted_by)
{
	std::set<std::string> seen;

	o_.extended = true;
	begin();
	while (press('<') == TOP_RESORT)
		;
	do
		seen.insert(columns_.column[top_state_sort_column(&state_, &columns_)].field.name);
	while (press(TOP_KEY_RIGHT) == TOP_RESORT);
	EXPECT_EQ(columns_.count, seen.size());
	EXPECT_GT(seen.size(), 25U);
}

TEST_F(Top, sizes_are_in_the_order_of_their_sizes)
{
	for (int size = SIZE_4K; size < SIZE_COUNT; size++)
		count_commands(&r, make_key(1, 0, OP_READ, size), 1, 0);
	o_.by = BY_SIZE;
	begin();
	sort_by("SIZE");
	for (size_t i = 1; i < records.count; i++)
		EXPECT_LT(records.records[i - 1].size_class, records.records[i].size_class);
}

TEST_F(Top, groupings_come_one_after_the_other_and_again)
{
	std::set<uint32_t> seen;
	uint32_t last;

	o_.by = BY_TARGET | BY_SIZE;
	begin();
	do {
		last = state_.options.by;
		EXPECT_TRUE(seen.insert(last).second);
		EXPECT_EQ(TOP_REGROUP, press('g'));
	} while (state_.options.by != o_.by);
	EXPECT_EQ(12U, seen.size());
	for (uint32_t by :
	     {BY_SID | BY_CID, BY_SID | BY_LUN, BY_DISK | 0, BY_TARGET | 0, BY_OP | 0})
		EXPECT_EQ(1U, seen.count(by));
	press('G');
	EXPECT_EQ(last, state_.options.by);
	o_.by = BY_OP;
	begin();
	EXPECT_EQ(11U, state_.grouping_count);
	EXPECT_EQ(static_cast<uint32_t>(BY_OP), state_.options.by);
}

TEST_F(Top, a_grouping_is_called_as_b_has_it)
{
	char text[128];

	top_state_grouping(BY_DEFAULT, text, sizeof(text));
	EXPECT_STREQ("sid,cid", text);
	top_state_grouping((BY_SIZE << 1) - 1, text, sizeof(text));
	EXPECT_STREQ("sid,cid,target,initiator,portal,lun,disk,mpath,op,size", text);
}

TEST_F(Top, the_cursor_stays_on_what_it_was_moved_to)
{
	sort_by("SID");
	press(TOP_KEY_DOWN);
	EXPECT_EQ(1U, state_.cursor);
	EXPECT_EQ(2U, state_.chosen.sid);
	/* The next reading has another order. */
	strcpy(state_.sort, "r/s");
	sort();
	EXPECT_EQ((Sids{2, 1, 4, 3}), sids());
	EXPECT_EQ(0U, state_.cursor);
	EXPECT_EQ(2U, state_.chosen.sid);
}

TEST_F(Top, on_the_first_row_it_is_on_whatever_comes_first)
{
	sort_by("SID");
	press(TOP_KEY_END);
	EXPECT_EQ(3U, state_.cursor);
	press(TOP_KEY_DOWN);
	EXPECT_EQ(3U, state_.cursor);
	press(TOP_KEY_HOME);
	press(TOP_KEY_UP);
	EXPECT_EQ(1U, state_.chosen.sid);
	strcpy(state_.sort, "r/s");
	sort();
	EXPECT_EQ(0U, state_.cursor);
	EXPECT_EQ(2U, state_.chosen.sid);
}

TEST_F(Top, what_has_gone_leaves_its_place)
{
	sort_by("SID");
	press(TOP_KEY_END);
	state_.options.hide_idle = true;
	regroup();
	EXPECT_EQ((Sids{1, 2}), sids());
	EXPECT_EQ(1U, state_.cursor);
	EXPECT_EQ(2U, state_.chosen.sid);
	records_deinit(&records);
	top_state_follow(&state_, &records);
	EXPECT_FALSE(state_.has_chosen);
	EXPECT_EQ(TOP_NOTHING, press(TOP_KEY_ENTER));
}

TEST_F(Top, an_opened_row_that_has_gone_may_come_back)
{
	sort_by("SID");
	press(TOP_KEY_END);
	EXPECT_EQ(TOP_REDRAW, press(TOP_KEY_ENTER));
	state_.options.hide_idle = true;
	regroup();
	EXPECT_EQ(4U, state_.chosen.sid);
	EXPECT_NE(std::string::npos, draw(24, 100)[1].find("SID 4 TARGET iqn.two: nothing"));
	state_.options.hide_idle = false;
	regroup();
	EXPECT_NE(std::string::npos, draw(24, 100)[1].find("SID 4 TARGET iqn.two: 0 commands"));
}

TEST_F(Top, a_page_has_a_line_for_each_row)
{
	auto lines = draw(10, 100);

	ASSERT_EQ(10U, lines.size());
	EXPECT_NE(std::string::npos, lines[0].find("by sid,cid  largest first by aqu"));
	EXPECT_EQ(0U, lines[1].find("SID TARGET"));
	EXPECT_EQ(0U, lines[2].find("  1 iqn.one"));
	EXPECT_EQ(0U, lines[6].find("all"));
	EXPECT_EQ(0U, lines[9].find("q quit"));
	EXPECT_EQ(2U, line_of(PAGE_CURSOR));
	/* What stands out is the column sorted by. */
	EXPECT_EQ(" aqu", lines[1].substr(page_.lines[1].mark, page_.lines[1].mark_width));
}

TEST_F(Top, rows_that_do_not_fit_are_scrolled_to)
{
	/* Title, heading, two rows, their sum, keys. */
	draw(6, 100);
	EXPECT_EQ(2U, state_.page_rows);
	for (uint32_t sid : {2, 4, 3}) {
		press(TOP_KEY_DOWN);
		auto lines = draw(6, 100);
		EXPECT_EQ(std::to_string(sid), lines[line_of(PAGE_CURSOR)].substr(2, 1));
		EXPECT_EQ(0U, lines[4].find("all"));
		EXPECT_EQ(0U, lines[5].find("q quit"));
	}
	press(TOP_KEY_PAGE_UP);
	EXPECT_EQ(1U, state_.cursor);
	press(TOP_KEY_PAGE_UP);
	press(TOP_KEY_PAGE_DOWN);
	EXPECT_EQ(2U, state_.cursor);
}

TEST_F(Top, fits_any_terminal)
{
	char *line = strdup(std::string(300, 'x').c_str());

	said_ = {line, line, line};
	losses_[LOSS_TORN] = 3;
	for (enum top_page page : {TOP_ROWS, TOP_OPENED, TOP_HELP}) {
		state_.page = page;
		for (size_t rows = 0; rows < 40; rows++) {
			for (size_t columns : {0, 1, 7, 40, 80, 200}) {
				auto lines = draw(rows, columns);
				EXPECT_EQ(rows, lines.size());
				for (const std::string &text : lines)
					EXPECT_LE(text_width(text.c_str()), columns);
			}
		}
	}
	free(line);
}

TEST_F(Top, the_column_sorted_by_is_in_sight)
{
	o_.extended = true;
	begin();
	for (const char *name : {"r/s", "avg", "data_out", "disrupted", "window"}) {
		sort_by(name);
		for (size_t columns : {40, 60, 100, 300}) {
			auto lines = draw(10, columns);
			EXPECT_NE(std::string::npos, lines[1].find(name)) << lines[1];
			EXPECT_EQ(0U, lines[1].find("SID TARGET"));
		}
	}
}

TEST_F(Top, events_are_at_the_bottom_the_latest_last)
{
	char lines[30][8];

	for (int i = 0; i < 30; i++) {
		sprintf(lines[i], "event%02d", i);
		said_.push_back(lines[i]);
	}
	auto page = draw(16, 100);
	/* Title, heading, four rows and their sum, keys: eight are left. */
	EXPECT_EQ("event22", page[7]);
	EXPECT_EQ("event29", page[14]);
	/* A third, where rows take all. */
	page = draw(8, 100);
	EXPECT_EQ("event29", page[6]);
	EXPECT_EQ("all", page[5].substr(0, 3));
}

TEST_F(Top, losses_are_there_when_there_are_any)
{
	EXPECT_EQ(SIZE_MAX, (draw(10, 100), line_of(PAGE_LOSS)));
	losses_[LOSS_PROBE_MISSES] = LOSS_UNKNOWN;
	EXPECT_EQ(SIZE_MAX, (draw(10, 100), line_of(PAGE_LOSS)));
	losses_[LOSS_NO_START] = 7;
	auto lines = draw(10, 100);
	EXPECT_NE(std::string::npos, lines[1].find("no_start 7"));
	EXPECT_EQ(1U, line_of(PAGE_LOSS));
}

TEST_F(Top, an_opened_row_has_its_stages_and_one_histogram)
{
	press(TOP_KEY_ENTER);
	auto lines = draw(30, 100);
	/* 110 commands, of which each took (stage + 1) us in each stage, 45 us in all. */
	EXPECT_EQ("SID 1 TARGET iqn.one: 110 commands, 0 errors", lines[1]);
	for (int i = 0; i < STAGE_TOTAL; i++) {
		char start[64];

		snprintf(start, sizeof(start), "%-8s %4.0f%% ", iscsi_stage_name(i),
			 100 * (i + 1) / 45.);
		EXPECT_EQ(0U, lines[3 + i].find(start)) << lines[3 + i];
	}
	EXPECT_EQ(0U, lines[12].find("total     100%   0.0450")) << lines[12];
	EXPECT_EQ(12U, line_of(PAGE_CURSOR));
	EXPECT_NE(std::string::npos, lines[14].find(": total of 110 commands"));
	press(TOP_KEY_UP);
	draw(30, 100);
	EXPECT_EQ(11U, line_of(PAGE_CURSOR));
	press(TOP_KEY_BACK);
	EXPECT_EQ(TOP_ROWS, state_.page);
}

TEST_F(Top, keys_have_a_page)
{
	EXPECT_EQ(TOP_REDRAW, press('?'));
	EXPECT_EQ("Keys", draw(24, 80)[0]);
	EXPECT_EQ(TOP_REDRAW, press('x'));
	EXPECT_EQ(TOP_ROWS, state_.page);
	EXPECT_FALSE(state_.options.extended);
	EXPECT_EQ(TOP_NOTHING, press('k'));
	EXPECT_EQ(TOP_NOTHING, press(TOP_KEY_OTHER));
	EXPECT_EQ(TOP_REDRAW, press(TOP_KEY_RESIZED));
	for (enum top_page page : {TOP_ROWS, TOP_OPENED, TOP_HELP}) {
		state_.page = page;
		EXPECT_EQ(TOP_QUIT, press('q'));
	}
}

TEST(Said, keeps_the_latest_and_says_messages_in_the_end)
{
	struct said said = {};

	for (int i = 0; i < SAID_MAX + 5; i++)
		said_add(&said, (std::to_string(i) + "\n").c_str(), i % 100 == 0);
	ASSERT_EQ(static_cast<size_t>(SAID_MAX), said.count);
	EXPECT_STREQ("5", said.lines[0]);
	EXPECT_STREQ("204", said.lines[SAID_MAX - 1]);
	testing::internal::CaptureStderr();
	said_flush(&said);
	EXPECT_EQ("100\n200\n", testing::internal::GetCapturedStderr());
	EXPECT_EQ(0U, said.count);
}

} // namespace
