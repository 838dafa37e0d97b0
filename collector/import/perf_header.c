/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_header.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "import/perf_feature.h"
#include "import/perf_layout.h"

struct section {
	uint64_t offset, size;
};

static struct section decode_section(struct cursor *c)
{
	struct section s = { cursor_u64(c), 0 };

	s.size = cursor_u64(c);
	return s;
}

static int fail(struct strbuf *err, const char *what)
{
	strbuf_addstr(err, what);
	return -EBADMSG;
}

/* A cursor over LEN bytes of the file; a failed one if the file has fewer. */
static struct cursor bytes_at(struct perf_file *f, uint64_t offset, size_t len)
{
	const void *bytes = perf_window_at(&f->own.window, offset, len);
	struct cursor c;

	cursor_init(&c, bytes, bytes ? len : 0);
	if (!bytes)
		cursor_fail(&c);
	c.swap = f->swap;
	return c;
}

/*
 * Reads the ids of the last event.  Sections may overlap, but their total cannot exceed
 * the file.
 */
static int read_ids(struct perf_file *f, const struct section *s, uint64_t *room)
{
	if (s->size > *room)
		return -EBADMSG;
	*room -= s->size;
	for (uint64_t at = 0; at + 8 <= s->size; at += 8) {
		struct cursor c = bytes_at(f, s->offset + at, 8);
		uint64_t id = cursor_u64(&c);

		if (!cursor_ok(&c))
			return -EBADMSG;
		perf_file_add_id(f, id);
	}
	return 0;
}

/* Each is an attr of the header's entry size, minus the section of its ids. */
static int read_attrs(struct perf_file *f, const struct section *s, uint64_t entry,
		      struct strbuf *err)
{
	uint64_t room = f->own.window.size;

	if (entry < PERF_ATTR_SIZE_LEAST + sizeof(struct section) ||
	    entry > PERF_ATTR_SIZE_MOST)
		return fail(err, "its events have a size that no version of perf writes");
	for (uint64_t at = 0; at < s->size; at += entry) {
		struct cursor c = bytes_at(f, s->offset + at, (size_t)entry);
		struct perf_attr attr;
		struct section ids;

		if (!perf_attr_decode(&c, (size_t)entry - sizeof(ids), &attr))
			return fail(err, "its list of events is truncated");
		ids = decode_section(&c);
		perf_file_add_event(f, &attr);
		if (read_ids(f, &ids, &room))
			return fail(err, "the ids of its events lie outside the file");
	}
	return f->events.len ? 0 : fail(err, "it has no events");
}

/* Messages, each behind its size; one that exceeds the window is skipped. */
static void read_names(struct perf_file *f, const struct section *s, bool packed)
{
	struct strbuf path = { 0 };
	struct perf_names_place place = { .packed = packed };

	for (uint64_t at = 0; at + 4 <= s->size; at += 4 + place.size) {
		struct cursor c = bytes_at(f, s->offset + at, 4);

		place.size = cursor_u32(&c);
		place.offset = s->offset + at + 4;
		if (!cursor_ok(&c) || place.size > s->size - at - 4) {
			f->left_out++;
			break;
		}
		c = bytes_at(f, place.offset, place.size);
		strbuf_clear(&path);
		if (cursor_ok(&c) && perf_names_path(c, packed, &path))
			perf_info_add_names(&f->info, strbuf_str(&path), &place);
		else
			f->left_out++;
	}
	strbuf_release(&path);
}

bool perf_header_names(struct perf_file *f, const char *path, struct perf_names *out)
{
	const struct perf_names_place *place = perf_info_names(&f->info, path);
	struct cursor c;

	if (!place)
		return false;
	c = bytes_at(f, place->offset, place->size);
	if (!perf_names_decode(&c, place->packed, out))
		f->left_out++; /* the part before the damage is good */
	return true;
}

/* A section of any size; at most the window's size of it is read. */
static void read_feature(struct perf_file *f, uint32_t number, const struct section *s)
{
	const size_t most = PERF_WINDOW_SIZE / 2;
	struct cursor c = bytes_at(f, s->offset, s->size < most ? (size_t)s->size : most);

	if (!s->size) /* it is empty */
		return;
	if (!cursor_ok(&c) || !perf_feature_decode(&f->info, number, &c))
		f->left_out++;
}

/* The place of each feature in the bit map follows the data. */
static void read_features(struct perf_file *f, const uint64_t *map)
{
	uint64_t at = f->own.end;

	for (uint32_t number = 0; number < PERF_FEATURES; number++) {
		struct section s;
		struct cursor c;

		if (!(map[number / 64] >> (number % 64) & 1))
			continue;
		if (number == PERF_FEATURE_STAT) /* it has no body */
			f->info.counts = true;
		c = bytes_at(f, at, sizeof(s));
		at += sizeof(s);
		s = decode_section(&c);
		if (cursor_ok(&c) &&
		    (number == PERF_FEATURE_FILE || number == PERF_FEATURE_FILE2))
			read_names(f, &s, number == PERF_FEATURE_FILE2);
		else if (cursor_ok(&c))
			read_feature(f, number, &s);
		else
			f->left_out++;
	}
}

static int set_data(struct perf_file *f, const struct section *s, struct strbuf *err)
{
	uint64_t size = f->own.window.size;

	if (s->offset > size || s->offset < PERF_HEADER_PIPE_SIZE || s->offset % 8)
		return fail(err, "its records lie outside the file");
	f->own.at = s->offset;
	f->unfinished = !s->size;
	f->own.end = s->size ? s->offset + s->size : size;
	if (s->size > size - s->offset) {
		f->own.end = size;
		f->own.truncated = true;
	}
	return 0;
}

static int read_file_header(struct perf_file *f, uint64_t size, struct strbuf *err)
{
	struct cursor c = bytes_at(f, PERF_HEADER_PIPE_SIZE,
				   (size_t)size - PERF_HEADER_PIPE_SIZE);
	uint64_t entry = cursor_u64(&c), map[PERF_FEATURES / 64] = { 0 };
	struct section attrs = decode_section(&c), data = decode_section(&c);
	int error;

	decode_section(&c); /* event types, in the first versions */
	for (size_t i = 0; i < PERF_FEATURES / 64 && size == PERF_HEADER_FILE_SIZE; i++)
		map[i] = cursor_u64(&c);
	if (!cursor_ok(&c))
		return fail(err, "its header is truncated");
	error = set_data(f, &data, err);
	if (!error)
		error = read_attrs(f, &attrs, entry, err);
	if (!error && !f->unfinished && !f->own.truncated)
		read_features(f, map);
	return error;
}

/* "PERFFILE": events and their ids are elsewhere in it. */
static bool is_first_format(struct perf_file *f)
{
	static const char magic[] = "PERFFILE";
	const void *bytes = perf_window_at(&f->own.window, 0, strlen(magic));

	return bytes && !memcmp(bytes, magic, strlen(magic));
}

/* Users compress recordings to send them. */
static int fail_foreign(struct perf_file *f, struct strbuf *err)
{
	static const struct {
		const char *begin, *command;
	} packed[] = {
		{ "\x28\xb5\x2f\xfd", "zstd -d" }, { "\x1f\x8b\x08", "gunzip" },
		{ "\xfd\x37zXZ", "unxz" },         { "BZh", "bunzip2" },
		{ "PK\x03\x04", "unzip" },
	};

	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++) {
		size_t len = strlen(packed[i].begin);
		const void *bytes = perf_window_at(&f->own.window, 0, len);

		if (!bytes || memcmp(bytes, packed[i].begin, len))
			continue;
		strbuf_addf(err, "it is compressed: decompress it first (%s)",
			    packed[i].command);
		return -EBADMSG;
	}
	if (is_first_format(f))
		return fail(err, "it has perf's first format, which perf wrote until "
				 "Linux 3.3");
	return fail(err,
		    f->own.window.size ? "it is not a perf.data file" : "it is empty");
}

int perf_header_read(struct perf_file *f, struct strbuf *err)
{
	struct cursor c = bytes_at(f, 0, PERF_HEADER_PIPE_SIZE);
	uint64_t magic = cursor_u64(&c), size;

	if (!cursor_ok(&c) || (magic != PERF_MAGIC && bswap_64(magic) != PERF_MAGIC))
		return fail_foreign(f, err);
	f->swap = magic != PERF_MAGIC;
	c.swap = f->swap;
	size = cursor_u64(&c);
	if (size == PERF_HEADER_PIPE_SIZE) {
		f->pipe = true;
		f->own.at = size;
		f->own.end = f->own.window.size;
		return 0;
	}
	if (size == PERF_HEADER_FILE_SIZE || size == PERF_HEADER_BARE_SIZE)
		return f->own.window.stream
			       ? fail(err, "it has file format, which no pipe can carry: "
					   "name the file instead")
			       : read_file_header(f, size, err);
	strbuf_addf(err,
		    "its header has %" PRIu64 " bytes, which no version of perf writes",
		    size);
	return -EBADMSG;
}
