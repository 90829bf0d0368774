/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A made host of known numbers, for the tests of readings, filters and grouping. */
#ifndef STORPROTOTRACE_COMMON_HOST_H
#define STORPROTOTRACE_COMMON_HOST_H

#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>
#include <gtest/gtest.h>
#include "common/group.h"

inline struct sums_key make_key(uint32_t sid, uint64_t lun, int op, int size = SIZE_ALL)
{
	struct sums_key key = {};

	key.sid = sid;
	key.lun = lun;
	key.op = static_cast<uint8_t>(op);
	key.size_class = static_cast<uint8_t>(size);
	return key;
}

/* Every stage of every command takes (stage + 1) us; the total 45 us. */
inline void count_commands(struct reading *r, const struct sums_key &key, uint64_t ios,
			   uint32_t inflight)
{
	struct reading_row *row = reading_row(r, &key);
	struct sums s = {};

	s.ios = s.good = s.pdus = ios;
	s.bytes = 4096 * ios;
	for (uint64_t i = 0; i < STAGE_TOTAL; i++) {
		s.stage[i].sum_ns = 1000 * (i + 1) * ios;
		s.stage[i].max_ns = 1000 * (i + 1);
	}
	s.stage[STAGE_TOTAL].sum_ns = 45000 * ios;
	s.stage[STAGE_TOTAL].max_ns = 45000;
	s.phase_max_ns[PHASE_WAITING] = 6000;
	s.phase_max_ns[PHASE_SENDING] = 15000;
	s.phase_max_ns[PHASE_COMPLETE] = 24000;
	sums_add(&row->sums, &s);
	row->inflight = inflight;
}

inline void count_hist(struct reading *r, struct sums_key key, uint64_t ios)
{
	if (!r->hists_by_lun)
		key.lun = LUN_ANY;
	reading_hist(r, &key)->bucket[STAGE_TOTAL][lat_hist_bucket(45000)] += ios;
}

inline const std::string LONGEST(223, 'x');

inline void name_session(struct reading *r, uint32_t sid, const std::string &target,
			 const std::string &portal)
{
	struct session_name *session = reading_session(r, sid);

	strcpy(session->target, target.c_str());
	strcpy(session->initiator, "iqn.host");
	strcpy(session->portal, portal.c_str());
}

inline void name_lun(struct reading *r, uint32_t sid, uint64_t lun, const char *disk,
		     const char *dm)
{
	struct lun_name *name = reading_lun(r, sid, lun);

	strcpy(name->disk, disk);
	strcpy(name->devno, *disk ? (std::string("8:") + disk[2]).c_str() : "");
	strcpy(name->dm, dm);
	strcpy(name->mpath, *dm ? "mpatha" : "");
}

/*
 * Sessions 1 and 2 go to iqn.one over IPv4 and IPv6 and share LUN 0 as multipath sda + sdb;
 * session 1 has a tape at LUN 7; session 3 goes to the longest name and has an idle disk sdc at
 * the largest LUN; session 4 has no LUNs. Commands: 1/0 read 10 and write 20, 2/0 read 40, 1/7
 * other 80; 5 of session 2 are in flight.
 */
class Host : public testing::Test
{
      protected:
	struct reading r;
	struct filter f;
	struct records records;

	Host() : f(), records()
	{
		reading_init(&r);
		r.number = 3;
		r.start_ns = 1000;
		r.length_ns = 2000;
		r.stages_known = STAGES_ALL_KNOWN;
		name_session(&r, 3, LONGEST, "10.0.0.3:3260");
		name_session(&r, 1, "iqn.one", "10.0.0.1:3260");
		name_session(&r, 2, "iqn.one", "[fd00::1]:3260");
		name_session(&r, 4, "iqn.two", "10.0.0.4:3260");
		name_lun(&r, 2, 0, "sdb", "dm-0");
		name_lun(&r, 1, 0, "sda", "dm-0");
		name_lun(&r, 1, 7, "", "");
		name_lun(&r, 3, UINT64_MAX - 1, "sdc", "");
		count_commands(&r, make_key(1, 0, OP_READ), 10, 0);
		count_commands(&r, make_key(1, 0, OP_WRITE), 20, 0);
		count_commands(&r, make_key(2, 0, OP_READ), 40, 5);
		count_commands(&r, make_key(1, 7, OP_OTHER), 80, 0);
	}
	~Host() override
	{
		reading_deinit(&r);
		filter_deinit(&f);
		records_deinit(&records);
	}
	/* Counts of the records in their order. */
	std::vector<uint64_t> counts(uint32_t by, bool hide_idle = false)
	{
		std::vector<uint64_t> result;

		records_deinit(&records);
		EXPECT_EQ(0, group_reading(&r, &f, by, hide_idle, &records));
		for (size_t i = 0; i < records.count; i++)
			result.push_back(records.records[i].count);
		return result;
	}
	uint64_t sum(uint32_t by = BY_DEFAULT)
	{
		uint64_t total = 0;

		for (uint64_t count : counts(by))
			total += count;
		return total;
	}
	void refilter(const std::function<void()> &fill)
	{
		filter_deinit(&f);
		fill();
	}
};

using Counts = std::vector<uint64_t>;

class Hists : public Host
{
      protected:
	void fill(bool by_lun)
	{
		r.hists_by_lun = by_lun;
		count_hist(&r, make_key(1, 0, OP_READ), 10);
		count_hist(&r, make_key(1, 0, OP_WRITE), 20);
		count_hist(&r, make_key(2, 0, OP_READ), 40);
		count_hist(&r, make_key(1, 7, OP_OTHER), 80);
	}
	/* Commands in the first record's histogram; -1: it has none. */
	int64_t in_hist(uint32_t by)
	{
		int64_t count = 0;

		counts(by);
		if (!records.count || !records.records[0].hists)
			return -1;
		for (uint64_t bucket : records.records[0].hists->bucket[STAGE_TOTAL])
			count += static_cast<int64_t>(bucket);
		return count;
	}
};

#endif
