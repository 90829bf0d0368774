/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Records: filled from rows and histograms, added up to a total, released. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/records.h"

/* Names in readings are at most as long as those in records: the same sizes declare both. */
#define COPY_NAME(member, name)                                                                    \
	do {                                                                                       \
		strncpy(member, name, sizeof(member) - 1);                                         \
		(member)[sizeof(member) - 1] = '\0';                                               \
	} while (0)

/* A gauge is of one session or disk: known where the grouping determines that. */
static void init_gauges(struct iscsi_stats *record, const struct reading *r, uint32_t keys)
{
	const struct session_name *session = NULL;
	const struct lun_name *lun = NULL;

	record->cmdsn_window = record->cmds_max = record->queue_depth = UINT64_MAX;
	if (keys & BY_SID)
		session = reading_find_session(r, record->sid);
	if (session && session->window_known)
		record->cmdsn_window = session->cmdsn_window;
	if (session && session->cmds_max)
		record->cmds_max = session->cmds_max;
	if (keys & BY_DISK)
		lun = reading_find_lun(r, record->sid, record->lun);
	if (lun && lun->queue_depth)
		record->queue_depth = lun->queue_depth;
}

void record_init(struct iscsi_stats *record, const struct group_request *request,
		 const struct group_member *member)
{
	*record = (struct iscsi_stats){
		.sid = member->sid,
		.cid = member->cid,
		.lun = member->lun,
		.op = member->op,
		.size_class = member->size_class,
		.keys = request->keys,
		.keys_asked = request->keys_asked,
		.interval_no = request->reading->number,
		.start_ns = request->reading->start_ns,
		.interval_ns = request->reading->length_ns,
	};
	COPY_NAME(record->initiator_name, member->initiator);
	COPY_NAME(record->target_name, member->target);
	COPY_NAME(record->portal, member->portal);
	COPY_NAME(record->disk, member->disk);
	COPY_NAME(record->mpath, member->mpath);
	init_gauges(record, request->reading, request->keys);
	for (int i = 0; i < STAGE_COUNT; i++)
		record->stages[i].known = request->reading->stages_known >> i & 1;
}

static void raise_to(uint64_t *max, uint64_t value)
{
	if (*max < value)
		*max = value;
}

static void add_inflight(struct iscsi_stats *record, uint64_t inflight,
			 const struct inflight_stage *stages)
{
	record->inflight += inflight;
	for (int i = 0; i < STAGE_TOTAL; i++) {
		record->inflight_stages[i].count += stages[i].count;
		raise_to(&record->inflight_stages[i].oldest_ns, stages[i].oldest_ns);
	}
}

static void add_counters(struct iscsi_stats *record, const struct sums *sums)
{
	record->count += sums->ios;
	record->total_bytes += sums->bytes;
	record->pdus += sums->pdus;
	record->good += sums->good;
	record->status_errors += sums->status_errors;
	record->host_errors += sums->host_errors;
	record->refused += sums->refused;
	record->refused_window += sums->refused_window;
	record->refused_no_task += sums->refused_no_task;
	record->no_task += sums->no_task;
	record->retries += sums->retries;
	record->aborted += sums->aborted;
	record->disrupted += sums->disrupted;
	record->r2ts += sums->r2ts;
}

/* A stage that the hooks cannot tell apart is in the one before it: neither time nor count. */
static void add_stages(struct iscsi_stats *record, const struct sums *sums)
{
	for (int i = 0; i < STAGE_COUNT; i++) {
		struct iscsi_stage_time *stage = &record->stages[i];

		stage->sum_ns += sums->stage[i].sum_ns;
		raise_to(&stage->max_ns, sums->stage[i].max_ns);
		if (stage->known)
			stage->count += i == STAGE_BLOCK ? sums->ios - sums->no_block : sums->ios;
	}
}

static void add_phases(struct iscsi_stats *record, const struct sums *sums)
{
	for (int i = STAGE_BLOCK; i <= STAGE_QUEUE; i++)
		record->waiting += sums->stage[i].sum_ns;
	for (int i = STAGE_SEND; i <= STAGE_DATA_OUT; i++)
		record->sending += sums->stage[i].sum_ns;
	for (int i = STAGE_TARGET; i <= STAGE_DONE; i++)
		record->complete += sums->stage[i].sum_ns;
	raise_to(&record->max_waiting, sums->phase_max_ns[PHASE_WAITING]);
	raise_to(&record->max_sending, sums->phase_max_ns[PHASE_SENDING]);
	raise_to(&record->max_complete, sums->phase_max_ns[PHASE_COMPLETE]);
}

static int add_buckets(struct iscsi_stats *record,
		       const uint64_t bucket[STAGE_COUNT][LAT_HIST_BUCKETS])
{
	if (!record->hists)
		record->hists = calloc(1, sizeof(*record->hists));
	if (!record->hists)
		return -ENOMEM;
	for (int s = 0; s < STAGE_COUNT; s++) {
		for (int b = 0; b < LAT_HIST_BUCKETS; b++)
			record->hists->bucket[s][b] += bucket[s][b];
	}
	return 0;
}

int record_add(struct iscsi_stats *record, const struct group_member *member)
{
	const struct reading_row *row = member->row;

	if (row) {
		add_counters(record, &row->sums);
		add_stages(record, &row->sums);
		add_phases(record, &row->sums);
		add_inflight(record, row->inflight, row->stages);
		if (row->key.op < OP_COUNT) {
			record->ops[row->key.op].ios += row->sums.ios;
			record->ops[row->key.op].bytes += row->sums.bytes;
		}
	}
	return member->hist ? add_buckets(record, member->hist->bucket) : 0;
}

bool record_idle(const struct iscsi_stats *record)
{
	return !(record->count || record->inflight || record->pdus || record->refused ||
		 record->no_task || record->retries || record->aborted || record->disrupted);
}

void records_deinit(struct records *records)
{
	if (!records)
		return;
	for (size_t i = 0; i < records->count; i++)
		free(records->records[i].hists);
	free(records->records);
	free(records->events);
	free(records->pinged);
	*records = (struct records){0};
}

static void total_init(struct iscsi_stats *total, const struct records *records)
{
	*total = (struct iscsi_stats){
		.sid = ISCSI_SID_ANY,
		.cid = ISCSI_CID_ANY,
		.lun = ISCSI_LUN_ANY,
		.op = OP_COUNT,
		.size_class = SIZE_ALL,
		.cmdsn_window = UINT64_MAX,
		.cmds_max = UINT64_MAX,
		.queue_depth = UINT64_MAX,
	};
	if (!records->count)
		return;
	total->keys_asked = records->records[0].keys_asked;
	total->interval_no = records->records[0].interval_no;
	total->start_ns = records->records[0].start_ns;
	total->interval_ns = records->records[0].interval_ns;
	for (int i = 0; i < STAGE_COUNT; i++)
		total->stages[i].known = true;
}

static void total_add_counters(struct iscsi_stats *total, const struct iscsi_stats *record)
{
	total->count += record->count;
	total->total_bytes += record->total_bytes;
	total->pdus += record->pdus;
	total->good += record->good;
	total->status_errors += record->status_errors;
	total->host_errors += record->host_errors;
	total->refused += record->refused;
	total->refused_window += record->refused_window;
	total->refused_no_task += record->refused_no_task;
	total->no_task += record->no_task;
	total->retries += record->retries;
	total->aborted += record->aborted;
	total->disrupted += record->disrupted;
	total->r2ts += record->r2ts;
	add_inflight(total, record->inflight, record->inflight_stages);
	for (int i = 0; i < OP_COUNT; i++) {
		total->ops[i].ios += record->ops[i].ios;
		total->ops[i].bytes += record->ops[i].bytes;
	}
}

static void total_add_times(struct iscsi_stats *total, const struct iscsi_stats *record)
{
	total->waiting += record->waiting;
	total->sending += record->sending;
	total->complete += record->complete;
	raise_to(&total->max_waiting, record->max_waiting);
	raise_to(&total->max_sending, record->max_sending);
	raise_to(&total->max_complete, record->max_complete);
	for (int i = 0; i < STAGE_COUNT; i++) {
		total->stages[i].sum_ns += record->stages[i].sum_ns;
		total->stages[i].count += record->stages[i].count;
		total->stages[i].known &= record->stages[i].known;
		raise_to(&total->stages[i].max_ns, record->stages[i].max_ns);
	}
}

/* Percentiles of a part of the commands would pass for those of all. */
static bool all_have_hists(const struct records *records)
{
	for (size_t i = 0; i < records->count; i++) {
		if (records->records[i].count && !records->records[i].hists)
			return false;
	}
	return true;
}

int records_total(const struct records *records, struct iscsi_stats *out)
{
	bool hists = all_have_hists(records);

	total_init(out, records);
	for (size_t i = 0; i < records->count; i++) {
		const struct iscsi_stats *record = &records->records[i];

		total_add_counters(out, record);
		total_add_times(out, record);
		if (hists && record->hists && add_buckets(out, record->hists->bucket))
			return -ENOMEM;
	}
	return 0;
}
