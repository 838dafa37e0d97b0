/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/perfmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sorted.h"
#include "elf/lines.h"
#include "base/xalloc.h"

#define CHUNK          ((size_t)1 << 18) /* no map has longer lines */
#define NAME_MAX_BYTES 1024

/* How far file times may lag behind the clock. */
#define CLOCK_STEP_NS 100000000

struct entry {
	uint64_t start, end;
	size_t name; /* offset in texts */
};

struct reader {
	struct perfmap_query *query;
	VEC(struct entry) found; /* that name an address, the last in the file first */
	struct strbuf texts;
	uint32_t *owners; /* by address: the index in found, + 1; 0: none yet */
	/* by address: itself if it has no name, else one at or before the next without */
	uint32_t *nameless;
	size_t unnamed;
};

static void reader_init(struct reader *r, struct perfmap_query *query)
{
	*r = (struct reader){
		.query = query,
		.owners = xcalloc(query->count + 1, sizeof(*r->owners)),
		.nameless = xcalloc(query->count + 1, sizeof(*r->nameless)),
		.unnamed = query->count,
	};
	for (size_t i = 0; i <= query->count; i++)
		r->nameless[i] = (uint32_t)i;
}

static void reader_release(struct reader *r)
{
	vec_release(&r->found);
	strbuf_release(&r->texts);
	free(r->owners);
	free(r->nameless);
}

/* ---- lines ---- */

static bool parse_line(struct text line, struct entry *entry, struct text *name)
{
	struct text start = text_until(&line, ' '), size = text_until(&line, ' ');
	uint64_t len;

	*name = line;
	if (text_len(name) > NAME_MAX_BYTES)
		name->end = name->at + NAME_MAX_BYTES;
	if (!text_hex(start, &entry->start) || !text_hex(size, &len) || !len ||
	    !text_len(name) || memchr(name->at, '\0', text_len(name)))
		return false;
	if (__builtin_add_overflow(entry->start, len, &entry->end))
		entry->end = UINT64_MAX;
	return true;
}

/* The first address from I on that has no name; their count: none. */
static uint32_t nameless_from(struct reader *r, uint32_t i)
{
	while (r->nameless[i] != i) {
		r->nameless[i] = r->nameless[r->nameless[i]];
		i = r->nameless[i];
	}
	return i;
}

static uint32_t first_at(const struct perfmap_query *q, uint64_t start)
{
	return start ? (uint32_t)sorted_keys_up_to(q->addresses, q->count,
						   sizeof(*q->addresses), 0, start - 1)
		     : 0;
}

/* Entries come last first, so an address that has a name keeps it. */
static void take_line(struct reader *r, struct text line)
{
	const struct perfmap_query *q = r->query;
	struct entry entry;
	struct text name;
	uint32_t i;

	if (!parse_line(line, &entry, &name))
		return;
	i = nameless_from(r, first_at(q, entry.start));
	if (i >= q->count || q->addresses[i] >= entry.end)
		return;
	entry.name = r->texts.len;
	strbuf_add(&r->texts, name.at, text_len(&name));
	strbuf_addch(&r->texts, '\0');
	*vec_push(&r->found) = entry;
	for (; i < q->count && q->addresses[i] < entry.end; i = nameless_from(r, i)) {
		r->owners[i] = (uint32_t)r->found.len;
		r->nameless[i] = i + 1;
		r->unnamed--;
	}
}

/* Takes whole lines, each with its newline, from the last on; returns their number. */
static size_t take_lines(struct reader *r, struct text lines)
{
	size_t count = 0;

	for (; text_len(&lines); count++) {
		const char *before = memrchr(lines.at, '\n', text_len(&lines) - 1);
		struct text line = { before ? before + 1 : lines.at, lines.end - 1 };

		take_line(r, line);
		lines.end = line.at;
	}
	return count;
}

/* ---- the file ---- */

/*
 * Takes the whole lines of a chunk; AT_START: it has the start of the file.  Returns how
 * many bytes at its end are done.  The text behind the last newline belongs to a line
 * that is unfinished or too long.
 */
static size_t take_chunk(struct reader *r, const char *bytes, size_t len, bool at_start)
{
	const char *end = bytes + len, *first = memchr(bytes, '\n', len);
	struct text lines = { end, end };
	size_t done, cost;

	if (first) {
		lines.at = at_start ? bytes : first + 1;
		lines.end = (const char *)memrchr(bytes, '\n', len) + 1;
	}
	if (lines.at == end)
		lines.at = lines.end = bytes;
	done = (size_t)(end - lines.at);
	cost = take_lines(r, lines) * PERFMAP_LINE_COST;
	if (cost < done)
		cost = done;
	r->query->budget -= cost < r->query->budget ? cost : r->query->budget;
	return done;
}

static size_t least(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t ab = a < b ? a : b;

	return (size_t)(ab < c ? ab : c);
}

/* The number of bytes at the start that were not read, or a negative errno. */
static int64_t read_backward(struct reader *r, int fd, uint64_t end)
{
	char *bytes = xmalloc(CHUNK);
	int error = 0;

	while (end && r->query->budget && r->unnamed && !error) {
		size_t len = least(end, CHUNK, r->query->budget);

		error = file_read_at(fd, end - len, bytes, len);
		if (!error)
			end -= take_chunk(r, bytes, len, len == end);
	}
	free(bytes);
	return error ? error : (int64_t)end;
}

/* Whether it is shorter than SIZE, so it was rewritten. */
static bool is_shorter(int fd, off_t size)
{
	struct stat st;

	return fstat(fd, &st) < 0 || st.st_size < size;
}

/*
 * Where pieces of two entries meet, the boundary is that of the later one in the file: it
 * does not cover the other one's address.
 */
static void make_pieces(struct perfmap *map, const struct reader *r)
{
	const struct entry *last = NULL;

	for (size_t i = 0; i < r->query->count; i++) {
		const struct entry *e;
		uint64_t start;

		if (!r->owners[i])
			continue;
		e = &r->found.data[r->owners[i] - 1];
		if (e == last)
			continue;
		start = e->start;
		if (last && last < e && last->end > start)
			start = last->end;
		else if (last && last > e &&
			 map->pieces.data[map->pieces.len - 1].end > start)
			map->pieces.data[map->pieces.len - 1].end = start;
		*vec_push(&map->pieces) = (struct perfmap_piece){
			.start = start,
			.end = e->end,
			.name = map->texts.data + e->name,
		};
		last = e;
	}
}

int perfmap_read(struct perfmap *map, int fd, struct perfmap_query *query)
{
	struct reader r;
	struct stat st;
	int64_t rest;

	if (fstat(fd, &st) < 0)
		return -errno;
	reader_init(&r, query);
	rest = read_backward(&r, fd, (uint64_t)st.st_size);
	*map = (struct perfmap){ 0 };
	if (rest == -ENODATA || (rest >= 0 && is_shorter(fd, st.st_size))) {
		map->unread = query->count;
		rest = 0;
	} else if (rest >= 0) {
		map->unread = rest ? r.unnamed : 0;
		map->texts = r.texts;
		r.texts = (struct strbuf){ 0 };
		make_pieces(map, &r);
	}
	reader_release(&r);
	return rest < 0 ? (int)rest : 0;
}

void perfmap_release(struct perfmap *map)
{
	vec_release(&map->pieces);
	strbuf_release(&map->texts);
}

/* Its owner and time prove that it is that process's map. */
static bool is_right(const struct perfmap_place *place, int fd)
{
	struct stat st;
	int64_t changed;

	if (fstat(fd, &st) < 0 || (st.st_uid && st.st_uid != place->owner) ||
	    st.st_nlink > 1)
		return false;
	changed = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
	return changed >= place->from_ns - CLOCK_STEP_NS &&
	       (!place->to_ns || changed <= place->to_ns);
}

static int read_map(struct perfmap *map, const struct perfmap_place *place,
		    const struct namer_of_files *by, int pid, struct perfmap_query *query)
{
	char *path = xasprintf("/tmp/perf-%d.map", pid);
	int fd = named_file_open_unlinked(by, path), error = fd;

	if (fd >= 0 && !is_right(place, fd))
		error = -EACCES;
	else if (fd >= 0)
		error = perfmap_read(map, fd, query);
	if (fd >= 0)
		close(fd);
	free(path);
	return error;
}

int perfmap_find(struct perfmap *map, const struct perfmap_place *place,
		 struct perfmap_query *query)
{
	int error = place->by ? read_map(map, place, place->by, place->inner_pid, query)
			      : -ENOENT;

	return error ? read_map(map, place, NULL, place->pid, query) : 0;
}
