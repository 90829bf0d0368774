/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Replay: a recording played back as a source. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include "common/cleanup.h"
#include "common/log.h"
#include "iscsi_bpf/members.h"
#include "iscsi_bpf/record.h"
#include "iscsi_bpf/recording.h"
#include "iscsi_bpf/replay_reading.h"
#include "iscsi_bpf/slow_file.h"

/* A reading of thousands of LUNs has some ten MB; what is longer is no recording. */
#define LINE_BYTES_MAX	 (256UL << 20)
#define HEADER_BYTES_MAX 4096
/* hists > stages > stage > pair, inside the line and its array. */
#define DEPTH_MAX 8

struct replay {
	struct source source;
	FILE *file;
	char *path;
	char *line;
	size_t line_size;
	uint64_t line_no;
	uint64_t readings;    /* that were read */
	bool required;	      /* there is to be one */
	uint64_t cut_line_no; /* a line that is no JSON; it may only be the last of a recorder */
};

static int complain(const struct replay *replay, uint64_t line_no, const char *why)
{
	log_error("cannot replay %s: line %" PRIu64 ": %s", replay->path, line_no, why);
	return -EINVAL;
}

static int no_memory(const struct replay *replay)
{
	log_error("cannot replay %s: line %" PRIu64 ": out of memory", replay->path,
		  replay->line_no);
	return -ENOMEM;
}

static int grow_line(struct replay *replay)
{
	size_t size = replay->line_size ? 2 * replay->line_size : 4096;
	char *line = realloc(replay->line, size);

	if (!line)
		return no_memory(replay);
	replay->line = line;
	replay->line_size = size;
	return 0;
}

/* Reads the next line, at most `max` bytes of it. 0; -ENODATA at the end; other -errno. */
static int next_line(struct replay *replay, size_t max, size_t *length)
{
	int byte, err = 0;

	*length = 0;
	errno = 0;
	while ((byte = getc_unlocked(replay->file)) != EOF && byte != '\n') {
		if (*length >= max)
			return complain(replay, replay->line_no + 1, "too long for a recording");
		if (*length + 1 >= replay->line_size)
			err = grow_line(replay);
		if (err)
			return err;
		replay->line[(*length)++] = (char)byte;
	}
	if (ferror(replay->file)) {
		err = errno ? -errno : -EIO;
		if (err == -ECANCELED)
			return err;
		log_error("cannot read %s: %s", replay->path, strerror(-err));
		return err;
	}
	if (byte == EOF && *length == 0)
		return -ENODATA;
	replay->line_no++;
	if (replay->line)
		replay->line[*length] = '\0';
	return 0;
}

/*
 * The line as JSON object, to be released; *out is NULL when it is none, or more than one. 0 or
 * -ENOMEM (said).
 */
static int parse_line(const struct replay *replay, size_t length, struct json_object **out)
{
	struct json_tokener *tokener;
	struct json_object *object = NULL;
	bool whole;

	*out = NULL;
	/* The parser does not tell that memory was short; whoever did not get it does. */
	errno = 0;
	tokener = json_tokener_new_ex(DEPTH_MAX);
	if (!tokener)
		return no_memory(replay);
	/* Not JSON_TOKENER_STRICT: json-c 0.18 then refuses bytes beyond ASCII, as in names. */
	if (length > 0 && strlen(replay->line) == length)
		object = json_tokener_parse_ex(tokener, replay->line, (int)length + 1);
	whole = json_tokener_get_parse_end(tokener) == length;
	json_tokener_free(tokener);
	if (whole && json_object_is_type(object, json_type_object)) {
		*out = object;
		return 0;
	}
	json_object_put(object);
	return errno == ENOMEM ? no_memory(replay) : 0;
}

static bool is_header(struct json_object *object)
{
	return json_object_object_get_ex(object, RECORDING_MARK, NULL);
}

static int check_header(const struct replay *replay, struct json_object *object)
{
	struct members m = {.object = object};
	uint64_t version = members_number(&m, RECORDING_MARK, UINT64_MAX);

	if (m.bad || version == 0)
		return complain(replay, replay->line_no, "not the header of a recording");
	if (version <= RECORDING_VERSION)
		return 0;
	log_error("cannot replay %s: line %" PRIu64 ": recorded in format %" PRIu64
		  ", this program knows formats up to %d",
		  replay->path, replay->line_no, version, RECORDING_VERSION);
	log_hint("replay it with the version of storprototrace that recorded it, or a later one");
	return -EINVAL;
}

static void warn_cut(struct replay *replay)
{
	if (replay->cut_line_no)
		log_warn("%s: line %" PRIu64 " is cut off: its interval is missing", replay->path,
			 replay->cut_line_no);
	replay->cut_line_no = 0;
}

/* The end. -ENODATA, or -ENOENT (said) where there was nothing and had to be something. */
static int end_recording(struct replay *replay)
{
	static const char nothing[] = "there is no whole interval in it";

	warn_cut(replay);
	if (replay->readings)
		return -ENODATA;
	if (replay->required)
		log_error("%s: %s", replay->path, nothing);
	else
		log_warn("%s: %s", replay->path, nothing);
	return replay->required ? -ENOENT : -ENODATA;
}

/* Takes one line. 0: it gave a reading; -EAGAIN: it gave none; other -errno. */
static int take_line(struct replay *replay, struct json_object *object, struct reading *r)
{
	const char *bad = NULL;
	int err;

	if (replay->cut_line_no && !(object && is_header(object)))
		return complain(replay, replay->cut_line_no, "not JSON");
	if (!object) {
		replay->cut_line_no = replay->line_no;
		return -EAGAIN;
	}
	warn_cut(replay);
	if (is_header(object)) {
		err = check_header(replay, object);
		return err ? err : -EAGAIN;
	}
	err = replay_reading(object, r, &bad);
	if (err == -EINVAL)
		log_error("cannot replay %s: line %" PRIu64 ": \"%s\" is missing or wrong",
			  replay->path, replay->line_no, bad);
	return err;
}

static int replay_read(struct source *source, struct reading *r)
{
	struct replay *replay = (struct replay *)source;
	int err;

	do {
		struct json_object *object;
		size_t length;

		err = next_line(replay, LINE_BYTES_MAX, &length);
		if (err)
			break;
		err = parse_line(replay, length, &object);
		if (err)
			break;
		err = take_line(replay, object, r);
		json_object_put(object);
	} while (err == -EAGAIN);
	if (err == -ENODATA)
		return end_recording(replay);
	replay->readings += !err;
	return err;
}

void replay_require(struct source *source)
{
	((struct replay *)source)->required = true;
}

static void replay_close(struct source *source)
{
	struct replay *replay = (struct replay *)source;

	if (replay->file)
		fclose(replay->file);
	free(replay->path);
	free(replay->line);
	free(replay);
}

static int read_header(struct replay *replay)
{
	struct json_object *object = NULL;
	size_t length;
	int err = next_line(replay, HEADER_BYTES_MAX, &length);

	if (!err)
		err = parse_line(replay, length, &object);
	if (err && err != -ENODATA)
		return err;
	if (object && is_header(object)) {
		err = check_header(replay, object);
	} else {
		log_error("cannot replay %s: it is no recording of storprototrace", replay->path);
		err = -EINVAL;
	}
	json_object_put(object);
	return err;
}

static int open_file(struct replay *replay, const char *path)
{
	int err;

	replay->path = strdup(path);
	if (!replay->path)
		return -ENOMEM;
	replay->file = slow_file_open(path);
	if (replay->file)
		return read_header(replay);
	err = -errno;
	log_error("cannot replay %s: %s", path, strerror(-err));
	return err;
}

int replay_open(const char *path, struct source **out)
{
	static const struct source_ops ops = {.read = replay_read, .close = replay_close};
	struct replay *replay = calloc(1, sizeof(*replay));
	int err;

	if (!replay)
		return -ENOMEM;
	replay->source.ops = &ops;
	err = open_file(replay, path);
	if (err) {
		replay_close(&replay->source);
		return err;
	}
	*out = &replay->source;
	return 0;
}
