/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Intervals of a recording added up to longer ones. */
#include <cerrno>
#include <cstdlib>
#include <vector>
#include <gtest/gtest.h>
extern "C" {
#include "iscsi_bpf/merged.h"
}

namespace
{

const struct sums_key KEY = {1, 0, 0, OP_READ, SIZE_ALL, {}};
const uint64_t S = 1000000000;

struct Given {
	uint64_t number, length_ns, ios;
};
using Intervals = std::vector<Given>;

/* Plays the given readings, then ends with `end`. */
struct Inner {
	struct source source;
	Intervals given;
	size_t at;
	int end;
	bool *closed;
};

int inner_read(struct source *source, struct reading *r)
{
	auto *inner = reinterpret_cast<Inner *>(source);

	if (inner->at == inner->given.size())
		return inner->end;
	const Given &now = inner->given[inner->at++];
	r->number = now.number;
	r->start_ns = 100 * S * now.number;
	r->length_ns = now.length_ns;
	r->stages_known = STAGES_ALL_KNOWN;
	r->loss[LOSS_TORN] = now.ios;
	reading_row(r, &KEY)->sums.ios = now.ios;
	reading_row(r, &KEY)->inflight = static_cast<uint32_t>(now.ios);
	reading_event(r, EVENT_SESSION)->code = static_cast<uint32_t>(now.number);
	return 0;
}

void inner_close(struct source *source)
{
	auto *inner = reinterpret_cast<Inner *>(source);

	*inner->closed = true;
	delete inner;
}

const struct source_ops OPS = {inner_read, nullptr, inner_close};

/* What comes of them; `err` is what it ended with. */
Intervals merge(const Intervals &given, uint64_t interval_ns, int end = -ENODATA)
{
	bool closed = false;
	struct source *source = nullptr;
	Intervals got;
	int err;

	EXPECT_EQ(0, merged_open(&(new Inner{{&OPS, false, -1, 0}, given, 0, end, &closed})->source,
				 interval_ns, &source));
	for (;;) {
		struct reading r;

		reading_init(&r);
		err = source->ops->read(source, &r);
		if (err)
			break;
		EXPECT_EQ(1u, r.row_count);
		got.push_back({r.number, r.length_ns, r.rows[0].sums.ios});
		EXPECT_EQ(r.rows[0].sums.ios, r.loss[LOSS_TORN]);
		/* Every event once, in its order; in flight is what was at the end. */
		EXPECT_EQ(r.number - r.start_ns / S / 100 + 1, r.event_count);
		for (size_t i = 0; i < r.event_count; i++)
			EXPECT_EQ(r.start_ns / S / 100 + i, r.events[i].code);
		EXPECT_LE(r.rows[0].inflight, r.rows[0].sums.ios);
		reading_deinit(&r);
	}
	EXPECT_EQ(end, err);
	source_close(source);
	EXPECT_TRUE(closed);
	return got;
}

void expect_equal(const Intervals &expected, const Intervals &got)
{
	ASSERT_EQ(expected.size(), got.size());
	for (size_t i = 0; i < got.size(); i++) {
		EXPECT_EQ(expected[i].number, got[i].number) << i;
		EXPECT_EQ(expected[i].length_ns, got[i].length_ns) << i;
		EXPECT_EQ(expected[i].ios, got[i].ios) << i;
	}
}

TEST(merged, adds_up_and_ends_with_what_is_left)
{
	const Intervals five = {{1, S, 1}, {2, S, 20}, {3, S, 300}, {4, S, 4000}, {5, S, 50000}};

	expect_equal({{2, 2 * S, 21}, {4, 2 * S, 4300}, {5, S, 50000}}, merge(five, 2 * S));
	expect_equal({{5, 5 * S, 54321}}, merge(five, 5 * S));
	expect_equal({{5, 5 * S, 54321}}, merge(five, 86400 * S));
	expect_equal(five, merge(five, S));
	expect_equal({}, merge({}, S));
}

TEST(merged, real_lengths_are_not_quite_those_asked_for)
{
	/* Neither does one more come in where they are short, nor is one left out. */
	expect_equal(
		{{2, 2 * S - 200, 3}, {4, 2 * S - 200, 7}},
		merge({{1, S - 100, 1}, {2, S - 100, 2}, {3, S - 100, 3}, {4, S - 100, 4}}, 2 * S));
	expect_equal(
		{{2, 2 * S + 200, 3}, {4, 2 * S + 200, 7}},
		merge({{1, S + 100, 1}, {2, S + 100, 2}, {3, S + 100, 3}, {4, S + 100, 4}}, 2 * S));
}

TEST(merged, longer_ones_stay_and_are_told)
{
	const Intervals given = {{1, 5 * S, 1}, {2, 5 * S, 2}};

	testing::internal::CaptureStderr();
	expect_equal(given, merge(given, 2 * S));
	EXPECT_NE(std::string::npos,
		  testing::internal::GetCapturedStderr().find("longer than 2 s"));
	testing::internal::CaptureStderr();
	expect_equal(given, merge(given, 5 * S - 1));
	EXPECT_EQ("", testing::internal::GetCapturedStderr());
}

TEST(merged, not_over_a_gap_or_another_run)
{
	expect_equal({{2, 2 * S, 3}, {4, S, 4}, {2, 2 * S, 30}},
		     merge({{1, S, 1}, {2, S, 2}, {4, S, 4}, {1, S, 10}, {2, S, 20}}, 5 * S));
}

TEST(merged, what_came_before_an_error_is_handed_on)
{
	expect_equal({{2, 2 * S, 3}}, merge({{1, S, 1}, {2, S, 2}}, 5 * S, -EINVAL));
}

TEST(merged, hostile_lengths)
{
	expect_equal({{1, UINT64_MAX, 1}, {3, 5, 5}},
		     merge({{1, UINT64_MAX, 1}, {2, 0, 2}, {3, 5, 3}}, 4 * S));
}

} // namespace
