/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The field table: what every format shows of a record, one row per value. */
#include "output/field.h"

#include <stdio.h>
#include <string.h>
#include "common/group.h"
#include "output/text.h"

#define NS_PER_MS  1e6
#define NS_PER_SEC 1e9
#define MEGABYTE   1e6

static void get_name(const struct field *field, const struct iscsi_stats *stats,
		     struct field_value *value)
{
	value->text = (const char *)stats + field->offset;
	value->known = value->text[0] && (stats->keys & field->keys);
}

static void get_count(const struct field *field, const struct iscsi_stats *stats,
		      struct field_value *value)
{
	memcpy(&value->count, (const char *)stats + field->offset, sizeof(value->count));
	value->known = !field->keys || (stats->keys & field->keys);
}

static void get_oldest(const struct field *field, const struct iscsi_stats *stats,
		       struct field_value *value)
{
	(void)field;
	value->count = iscsi_oldest_ns(stats);
	value->known = value->count != UINT64_MAX;
	value->number = value->count / NS_PER_MS;
}

static void get_gauge(const struct field *field, const struct iscsi_stats *stats,
		      struct field_value *value)
{
	get_count(field, stats, value);
	value->known = value->known && value->count != UINT64_MAX;
}

static void get_id(const struct field *field, const struct iscsi_stats *stats,
		   struct field_value *value)
{
	uint32_t id;

	memcpy(&id, (const char *)stats + field->offset, sizeof(id));
	value->count = id;
	value->known = stats->keys & field->keys;
}

static void get_op(const struct field *field, const struct iscsi_stats *stats,
		   struct field_value *value)
{
	value->text = iscsi_op_name(stats->op);
	value->known = value->text && (stats->keys & field->keys);
}

static void get_size(const struct field *field, const struct iscsi_stats *stats,
		     struct field_value *value)
{
	value->text = iscsi_size_class_name(stats->size_class);
	value->known = value->text && (stats->keys & field->keys);
}

static void get_errors(const struct field *field, const struct iscsi_stats *stats,
		       struct field_value *value)
{
	(void)field;
	value->count = stats->status_errors + stats->host_errors;
	value->known = true;
}

static void get_rate(const struct field *field, const struct iscsi_stats *stats,
		     struct field_value *value)
{
	uint64_t count;

	memcpy(&count, (const char *)stats + field->offset, sizeof(count));
	value->known = stats->interval_ns > 0;
	value->number = value->known ? count * NS_PER_SEC / stats->interval_ns : 0;
}

static void get_megabytes(const struct field *field, const struct iscsi_stats *stats,
			  struct field_value *value)
{
	get_rate(field, stats, value);
	value->number /= MEGABYTE;
}

static void get_average_queue(const struct field *field, const struct iscsi_stats *stats,
			      struct field_value *value)
{
	(void)field;
	value->known = stats->interval_ns > 0;
	value->number =
		value->known ? (double)stats->stages[STAGE_TOTAL].sum_ns / stats->interval_ns : 0;
}

static void get_mean(const struct field *field, const struct iscsi_stats *stats,
		     struct field_value *value)
{
	const struct iscsi_stage_time *stage = &stats->stages[field->stage];

	value->known = stage->known && stage->count > 0;
	value->number = value->known ? stage->sum_ns / NS_PER_MS / stage->count : 0;
}

static void get_max(const struct field *field, const struct iscsi_stats *stats,
		    struct field_value *value)
{
	const struct iscsi_stage_time *stage = &stats->stages[field->stage];

	value->known = stage->known && stage->count > 0;
	value->number = stage->max_ns / NS_PER_MS;
}

static void get_percentile(const struct field *field, const struct iscsi_stats *stats,
			   struct field_value *value)
{
	uint64_t ns = 0;

	value->known = stats->stages[field->stage].known &&
		       iscsi_percentile(stats, field->stage, field->percent, &ns) == 0;
	value->number = ns / NS_PER_MS;
}

static void get_host(const struct field *field, const struct iscsi_stats *stats,
		     struct field_value *value)
{
	uint64_t host = iscsi_host_ns(stats);
	double all = (double)host + iscsi_target_net_ns(stats);

	(void)field;
	value->known = all > 0;
	/* Whole per cents, so that both shares add up to 100 as they are shown. */
	value->number = value->known ? (int)(100 * (host / all) + 0.5) : 0;
}

static void get_target_net(const struct field *field, const struct iscsi_stats *stats,
			   struct field_value *value)
{
	get_host(field, stats, value);
	value->number = 100 - value->number;
}

static void get_worst(const struct field *field, const struct iscsi_stats *stats,
		      struct field_value *value)
{
	/* Where the window was closed, waiting in this host is not of this host's making. */
	static const char *const window_closed[STAGE_TOTAL] = {
		"block(window)",  "busy(window)",    "queue(window)",
		"send(window)",	  "r2t(window)",     "data_out(window)",
		"target(window)", "data_in(window)", "done(window)",
	};
	uint32_t stage = iscsi_worst_stage(stats);

	(void)field;
	value->known = stage < STAGE_TOTAL;
	if (value->known)
		value->text =
			stats->refused_window ? window_closed[stage] : iscsi_stage_name(stage);
}

#define MEMBER(member) .offset = offsetof(struct iscsi_stats, member)
#define METRIC(title, measure, kind, text)                                                         \
	.metric = &(const struct field_metric)                                                     \
	{                                                                                          \
		title, measure, kind, text                                                         \
	}
#define COUNTED(title, machine, columns, member, text, ...)                                        \
	{                                                                                          \
		.name = title, .json = machine, .unit = "", .width = columns, .type = FIELD_COUNT, \
		.help = text, .get = get_count, .stage = STAGE_COUNT, MEMBER(member), __VA_ARGS__  \
	}
/* A counter; monitoring knows it by the name it has in the machine format. */
#define COUNT(title, machine, columns, member, text)                                               \
	COUNTED(title, machine, columns, member, text, METRIC(machine, "", METRIC_COUNTER, text))
/* A counter by a name that needs no context. */
#define COUNTER(title, machine, exported, measure, columns, member, text)                          \
	COUNTED(title, machine, columns, member, text,                                             \
		METRIC(exported, measure, METRIC_COUNTER, text))
#define GAUGE(title, machine, exported, columns, member, text)                                     \
	COUNTED(title, machine, columns, member, text, METRIC(exported, "", METRIC_GAUGE, text))
#define KEY(title, machine, columns, kind, key, getter, member, text)                              \
	{                                                                                          \
		.name = title, .json = machine, .unit = "", .width = columns, .type = kind,        \
		.keys = key, .help = text, .get = getter, .stage = STAGE_COUNT, MEMBER(member)     \
	}
/* A number that a session or a disk has at the end of the interval. */
#define LEVEL(title, machine, columns, key, member, text)                                          \
	{                                                                                          \
		.name = title, .json = machine, .unit = "", .width = columns, .type = FIELD_COUNT, \
		.keys = key, .gauge = true, .help = text, .get = get_gauge, .stage = STAGE_COUNT,  \
		MEMBER(member), METRIC(machine, "", METRIC_GAUGE, text)                            \
	}
#define RATE(title, measure, kind, getter, member, text, ...)                                      \
	{                                                                                          \
		.name = title, .unit = measure, .width = 5, .type = kind, .help = text,            \
		.get = getter, .stage = STAGE_COUNT, MEMBER(member), __VA_ARGS__                   \
	}
#define TIME(title, columns, getter, which, percentile, text)                                      \
	{                                                                                          \
		.name = title, .unit = "ms", .width = columns, .type = FIELD_MS, .help = text,     \
		.get = getter, .stage = which, .percent = percentile                               \
	}
/* A mean, behind which there is a histogram. */
#define MEAN(title, columns, which, histogram, text)                                               \
	{                                                                                          \
		.name = title, .unit = "ms", .width = columns, .type = FIELD_MS, .help = text,     \
		.get = get_mean, .stage = which, .metric = &(histogram)                            \
	}
#define OTHER(title, measure, columns, kind, getter, text)                                         \
	{                                                                                          \
		.name = title, .unit = measure, .width = columns, .type = kind, .help = text,      \
		.get = getter, .stage = STAGE_COUNT                                                \
	}

static const struct field_metric command_duration = {
	"command_duration_seconds", "seconds", METRIC_HISTOGRAM,
	"time of a command from request to clean-up, the sum of its stages"};
static const struct field_metric stage_duration = {
	"stage_duration_seconds", "seconds", METRIC_HISTOGRAM, "time of a command in one stage"};

/* clang-format off */
const struct field fields[] = {
	KEY("SID", "sid", 3, FIELD_COUNT, BY_SID, get_id, sid,
	    "session id: N of /sys/class/iscsi_session/sessionN"),
	KEY("CID", "cid", 3, FIELD_COUNT, BY_CID, get_id, cid, "connection id within the session"),
	KEY("TARGET", "target", 21, FIELD_STRING, BY_TARGET, get_name, target_name,
	    "target's iSCSI name"),
	KEY("INITIATOR", "initiator", 21, FIELD_STRING, BY_INITIATOR, get_name, initiator_name,
	    "initiator's iSCSI name"),
	KEY("PORTAL", "portal", 18, FIELD_STRING, BY_PORTAL, get_name, portal,
	    "target's address and port the connection goes to"),
	KEY("LUN", "lun", 3, FIELD_COUNT, BY_LUN, get_count, lun, "logical unit number"),
	KEY("DISK", "disk", 4, FIELD_STRING, BY_DISK, get_name, disk, "the LUN's block device"),
	KEY("MPATH", "mpath", 6, FIELD_STRING, BY_MPATH, get_name, mpath,
	    "multipath map above the disk"),
	KEY("OP", "op", 5, FIELD_STRING, BY_OP, get_op, op, "read, write or other, by SCSI opcode"),
	KEY("SIZE", "size", 6, FIELD_STRING, BY_SIZE, get_size, size_class,
	    "size class of the commands' data"),

	COUNTER("ios", "ios", "commands", "", 6, count, "commands that ended"),
	COUNTER("pdus", "pdus", "command_pdus", "", 6, pdus,
		"SCSI command PDUs sent: attempts, as scsicmd_pdus"),
	COUNTER("bytes", "bytes", "transferred_bytes", "bytes", 8, total_bytes,
		"bytes transferred: data length - residual"),
	{ .name = "errors", .json = "errors", .unit = "", .width = 6, .type = FIELD_COUNT,
	  .help = "commands that ended with a SCSI status or a host byte", .get = get_errors,
	  .stage = STAGE_COUNT },
	COUNTER("good", "good", "commands_good", "", 6, good, "commands whose last result was good"),
	COUNTER("status", "status_errors", "command_status_errors", "", 6, status_errors,
		"commands that ended with a SCSI status such as CHECK CONDITION or BUSY"),
	COUNTER("hosterr", "host_errors", "command_host_errors", "", 7, host_errors,
		"commands that ended with a host byte (DID_*)"),
	COUNTER("refused", "refused", "attempts_refused", "", 7, refused,
		"attempts refused: the target's window was closed or no task was free"),
	COUNTER("refwin", "refused_window", "attempts_refused_window", "", 6, refused_window,
		"attempts refused because the target's CmdSN window was closed"),
	COUNTER("reftask", "refused_no_task", "attempts_refused_no_task", "", 7, refused_no_task,
		"attempts refused because no task was free"),
	COUNTER("notask", "no_task", "attempts_without_task", "", 6, no_task,
		"attempts ended before a task was made: the session was recovering"),
	COUNTER("retries", "retries", "attempts_repeated", "", 7, retries,
		"attempts made after a failed task of the same command"),
	COUNTER("aborted", "aborted", "attempts_aborted", "", 7, aborted,
		"attempts ended by task management"),
	COUNTER("disrupted", "disrupted", "attempts_disrupted", "", 9, disrupted,
		"attempts ended by session recovery"),
	COUNT("r2ts", "r2ts", 5, r2ts, "R2Ts accepted"),
	GAUGE("infl", "inflight", "commands_inflight", 4, inflight,
	      "commands not ended at the end of the interval"),
	{ .name = "oldest", .json = "oldest_ns", .unit = "ms", .width = 6, .type = FIELD_MS,
	  .help = "age of the oldest command not ended at the end of the interval",
	  .get = get_oldest, .stage = STAGE_COUNT },
	LEVEL("window", "cmdsn_window", 6, BY_SID, cmdsn_window,
	      "commands the target would take at once, at the end of the interval"),
	LEVEL("cmdsmax", "cmds_max", 7, BY_SID, cmds_max,
	      "tasks of the session, 15 of them for management"),
	LEVEL("qdepth", "queue_depth", 6, BY_DISK, queue_depth,
	      "commands the SCSI layer lets the disk have at a time"),

	RATE("r/s", "1/s", FIELD_RATE, get_rate, ops[OP_READ].ios, "reads per second",
	     METRIC("reads", "", METRIC_COUNTER, "commands that read")),
	RATE("w/s", "1/s", FIELD_RATE, get_rate, ops[OP_WRITE].ios, "writes per second",
	     METRIC("writes", "", METRIC_COUNTER, "commands that write")),
	RATE("o/s", "1/s", FIELD_RATE, get_rate, ops[OP_OTHER].ios,
	     "commands per second that neither read nor write",
	     METRIC("other_commands", "", METRIC_COUNTER, "commands that neither read nor write")),
	RATE("rMB/s", "MB/s", FIELD_MBYTES, get_megabytes, ops[OP_READ].bytes,
	     "10^6 bytes read per second",
	     METRIC("read_bytes", "bytes", METRIC_COUNTER, "bytes read")),
	RATE("wMB/s", "MB/s", FIELD_MBYTES, get_megabytes, ops[OP_WRITE].bytes,
	     "10^6 bytes written per second",
	     METRIC("written_bytes", "bytes", METRIC_COUNTER, "bytes written")),
	OTHER("aqu", "", 4, FIELD_RATIO, get_average_queue,
	      "commands in flight on average: time of the commands that ended / interval"),

	MEAN("avg", 6, STAGE_TOTAL, command_duration, "mean time of a command"),
	TIME("p50", 6, get_percentile, STAGE_TOTAL, 50, "time that 50 % of the commands kept within"),
	TIME("p90", 6, get_percentile, STAGE_TOTAL, 90, "time that 90 % of the commands kept within"),
	TIME("p99", 6, get_percentile, STAGE_TOTAL, 99, "time that 99 % of the commands kept within"),
	TIME("p99.9", 6, get_percentile, STAGE_TOTAL, 99.9,
	     "time that 99.9 % of the commands kept within"),
	TIME("max", 6, get_max, STAGE_TOTAL, 0, "longest time of a command"),
	OTHER("host", "%", 4, FIELD_SHARE, get_host,
	      "this host's share of the time: block + queue + send + data_out + done"),
	OTHER("target+net", "%", 10, FIELD_SHARE, get_target_net,
	      "target's and network's share of the time: busy + r2t + target + data_in"),
	OTHER("WORST", "", 8, FIELD_STRING, get_worst, "the stage that took most of the time; (window): the CmdSN window was closed"),

	MEAN("block", 6, STAGE_BLOCK, stage_duration,
	     "mean time from request to first attempt: block layer, scheduler, queue limits"),
	MEAN("busy", 6, STAGE_BUSY, stage_duration,
	     "mean time to the accepted attempt: closed window, no free task, recovery"),
	MEAN("queue", 6, STAGE_QUEUE, stage_duration, "mean time waiting for the transmit worker"),
	MEAN("send", 6, STAGE_SEND, stage_duration,
	     "mean time giving header and first data to the socket"),
	MEAN("r2t", 6, STAGE_R2T, stage_duration, "mean time waiting for the target's permission"),
	MEAN("data_out", 8, STAGE_DATA_OUT, stage_duration,
	     "mean time from permission to data given to the socket"),
	MEAN("target", 6, STAGE_TARGET, stage_duration,
	     "mean time from the last send to the first response: network and target"),
	MEAN("data_in", 7, STAGE_DATA_IN, stage_duration,
	     "mean time from the first response to completion"),
	MEAN("done", 6, STAGE_DONE, stage_duration, "mean time from completion to clean-up"),
};
/* clang-format on */
const size_t field_count = sizeof(fields) / sizeof(fields[0]);

void field_count_value(const struct field *field, const struct iscsi_stats *stats,
		       struct field_value *value)
{
	if (field->type == FIELD_COUNT)
		field->get(field, stats, value);
	else
		get_count(field, stats, value);
}

bool field_is_key(const struct field *field)
{
	return field->keys && !field->gauge;
}

const struct field *field_find(const char *name)
{
	for (size_t i = 0; i < field_count; i++) {
		if (strcmp(fields[i].name, name) == 0)
			return &fields[i];
	}
	return NULL;
}
