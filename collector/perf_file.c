/* SPDX-License-Identifier: Apache-2.0 */
#include "perf_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "perf_header.h"
#include "perf_layout.h"
#include "xalloc.h"

/* One record, from its header. */
struct piece {
	uint32_t type;
	uint16_t len;
	const unsigned char *bytes; /* all of it */
};

/* A walk over the records; SOURCE ones are within a compressed one. */
struct walk {
	struct perf_file *f;
	const struct perf_file_sink *sink;
	struct strbuf *err;
	bool inner;
	uint64_t behind; /* bytes that follow the record and belong to it */
};

int perf_file_open(struct perf_file *f, int fd, struct strbuf *err)
{
	int error;

	*f = (struct perf_file){ 0 };
	perf_info_init(&f->info);
	error = perf_window_init(&f->window, fd);
	if (error) {
		strbuf_addf(err, "it cannot be read: %s", strerror(-error));
		return error;
	}
	return perf_header_read(f, err);
}

void perf_file_release(struct perf_file *f)
{
	vec_for_each(struct perf_event, e, &f->events)
		free(e->name);
	vec_release(&f->events);
	idmap_release(&f->ids);
	perf_info_release(&f->info);
	perf_unzip_release(&f->unzip);
	perf_window_release(&f->window);
}

/* The name by an id; without one by the place in the list, if the event is the same. */
const char *perf_file_event_name(const struct perf_file *f, size_t index)
{
	const struct perf_event *e = &f->events.data[index];
	const struct perf_event_name *names = f->info.names.data;
	uint32_t i = e->has_id ? idmap_get(&f->info.name_ids, e->id, 0) : IDMAP_NONE;

	if (e->name)
		return e->name;
	if (i == IDMAP_NONE && index < f->info.names.len &&
	    names[index].type == e->attr.type && names[index].config == e->attr.config)
		i = (uint32_t)index;
	return i == IDMAP_NONE ? NULL : names[i].name;
}

/* ---- records that perf adds ---- */

static struct cursor body_of(const struct walk *w, const struct piece *p)
{
	struct cursor c;

	cursor_init(&c, p->bytes + PERF_RECORD_HEADER_SIZE,
		    p->len - PERF_RECORD_HEADER_SIZE);
	c.swap = w->f->swap;
	return c;
}

static int bad(struct walk *w, const char *what)
{
	strbuf_addf(w->err, "%s at byte %" PRIu64, what, w->f->at);
	return -EBADMSG;
}

static int take_attr(struct walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	struct perf_attr attr;

	if (!perf_attr_decode(&c, perf_attr_size(&c), &attr))
		return bad(w, "an event is cut off");
	perf_file_add_event(w->f, &attr);
	while (cursor_left(&c) >= 8)
		perf_file_add_id(w->f, cursor_u64(&c));
	return 0;
}

static int take_update(struct walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	uint64_t kind = cursor_u64(&c), id = cursor_u64(&c);
	uint32_t index = idmap_get(&w->f->ids, id, 0);
	const char *name;

	if (kind != PERF_UPDATE_NAME || index == IDMAP_NONE)
		return 0;
	name = cursor_str(&c);
	if (cursor_ok(&c)) {
		free(w->f->events.data[index].name);
		w->f->events.data[index].name = xstrdup(name);
	}
	return 0;
}

static int take_feature(struct walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	uint64_t number = cursor_u64(&c);

	if (number < PERF_FEATURES &&
	    !perf_feature_decode(&w->f->info, (uint32_t)number, &c))
		w->f->left_out++;
	return 0;
}

static int take_build_id(struct walk *w, const struct piece *p)
{
	struct cursor c;

	cursor_init(&c, p->bytes, p->len);
	c.swap = w->f->swap;
	if (!perf_build_id_decode(&w->f->info, &c))
		w->f->left_out++;
	return 0;
}

static int take_round(struct walk *w, const struct piece *p)
{
	(void)p;
	w->sink->round(w->sink->ctx);
	return 0;
}

/* perf's stands behind the record, and counts as filled up to 8; simpleperf's within. */
static int take_tracing(struct walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	uint64_t size = cursor_u32(&c);

	if (size > cursor_left(&c))
		w->behind = (size + 7) & ~UINT64_C(7);
	return 0;
}

static int take_auxtrace(struct walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);

	w->behind = cursor_u64(&c);
	return 0;
}

static int64_t walk_bytes(void *ctx, const void *bytes, size_t len);

static int unzip(struct walk *w, const void *bytes, size_t len)
{
	struct walk inner = *w;
	int error;

	if (w->inner)
		return bad(w, "a compressed record within a compressed one");
	inner.inner = true;
	error = perf_unzip(&w->f->unzip, bytes, len, walk_bytes, &inner);
	if (error && !w->err->len)
		return bad(w, "a compressed record that cannot be expanded");
	return error;
}

static int take_compressed(struct walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	size_t len = cursor_left(&c);

	return unzip(w, cursor_bytes(&c, len), len);
}

/* The second kind tells its size, for it is filled up to 8. */
static int take_compressed2(struct walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	uint64_t len = cursor_u64(&c);
	const void *bytes = cursor_bytes(&c, len < SIZE_MAX ? (size_t)len : SIZE_MAX);

	if (!bytes)
		return bad(w, "a compressed record is longer than it can be");
	return unzip(w, bytes, (size_t)len);
}

static const struct taker {
	uint32_t type;
	int (*take)(struct walk *, const struct piece *);
} takers[] = {
	{ PERF_HEADER_ATTR, take_attr },
	{ PERF_HEADER_TRACING_DATA, take_tracing },
	{ PERF_HEADER_BUILD_ID, take_build_id },
	{ PERF_FINISHED_ROUND, take_round },
	{ PERF_AUXTRACE, take_auxtrace },
	{ PERF_EVENT_UPDATE, take_update },
	{ PERF_HEADER_FEATURE, take_feature },
	{ PERF_COMPRESSED, take_compressed },
	{ PERF_COMPRESSED2, take_compressed2 },
};

/* ---- the walk ---- */

static int take(struct walk *w, const struct piece *p)
{
	w->behind = 0;
	if (p->type < PERF_USER_TYPES) {
		w->sink->record(w->sink->ctx, p->bytes, p->len);
		return 0;
	}
	for (size_t i = 0; i < sizeof(takers) / sizeof(takers[0]); i++)
		if (takers[i].type == p->type)
			return takers[i].take(w, p);
	return 0;
}

/* The type and length of the record whose header BYTES are. */
static int look(struct walk *w, const void *bytes, struct piece *p)
{
	struct cursor c;

	cursor_init(&c, bytes, PERF_RECORD_HEADER_SIZE);
	c.swap = w->f->swap;
	p->bytes = bytes;
	p->type = cursor_u32(&c);
	cursor_u16(&c); /* misc */
	p->len = cursor_u16(&c);
	if (p->len >= PERF_RECORD_HEADER_SIZE)
		return 0;
	strbuf_addf(w->err,
		    "a record of %u bytes at byte %" PRIu64
		    " cannot be: it is damaged there",
		    p->len, w->f->at);
	return -EBADMSG;
}

/* A perf_unzip_fn: takes the whole records of BYTES. */
static int64_t walk_bytes(void *ctx, const void *bytes, size_t len)
{
	struct walk *w = ctx;
	size_t at = 0;
	struct piece p;
	int error;

	while (len - at >= PERF_RECORD_HEADER_SIZE) {
		error = look(w, (const char *)bytes + at, &p);
		if (error)
			return error;
		if (p.len > len - at)
			break;
		error = take(w, &p);
		if (error)
			return error;
		at += p.len;
	}
	return (int64_t)at;
}

/* 1: there was a record; 0: no whole one any more. */
static int step(struct walk *w)
{
	struct perf_file *f = w->f;
	uint64_t left = f->data_end - f->at;
	const void *bytes;
	struct piece p;
	int error;

	if (left < PERF_RECORD_HEADER_SIZE)
		return 0;
	bytes = perf_window_at(&f->window, f->at, PERF_RECORD_HEADER_SIZE);
	if (!bytes)
		return 0;
	error = look(w, bytes, &p);
	if (error)
		return error;
	p.bytes = p.len <= left ? perf_window_at(&f->window, f->at, p.len) : NULL;
	if (!p.bytes)
		return 0;
	error = take(w, &p);
	if (error)
		return error;
	left -= p.len;
	if (w->behind > left)
		return 0;
	if (p.type == PERF_AUXTRACE)
		f->traced += w->behind;
	f->at += p.len + w->behind;
	return 1;
}

int perf_file_read(struct perf_file *f, const struct perf_file_sink *sink,
		   struct strbuf *err)
{
	struct walk w = { .f = f, .sink = sink, .err = err };
	int more;

	f->at = f->data;
	do
		more = step(&w);
	while (more > 0);
	if (more < 0)
		return more;
	if (f->window.stream)
		f->data_end = f->window.size;
	if (f->at != f->data_end)
		f->truncated = true;
	if (f->events.len)
		return 0;
	strbuf_addstr(err, "it ends before its first event");
	return -EBADMSG;
}
