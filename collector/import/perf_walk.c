/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/perf_feature.h"
#include "import/perf_layout.h"
#include "import/perf_tracing.h"
#include "base/xalloc.h"

/* One record, from its header. */
struct piece {
	uint32_t type;
	uint16_t len;
	const unsigned char *bytes; /* all of it */
};

/* ---- records that perf adds ---- */

static struct cursor body_of(const struct perf_walk *w, const struct piece *p)
{
	struct cursor c;

	cursor_init(&c, p->bytes + PERF_RECORD_HEADER_SIZE,
		    p->len - PERF_RECORD_HEADER_SIZE);
	c.swap = w->f->swap;
	return c;
}

static int bad_place(struct perf_walk *w, const char *more)
{
	const char *name = w->stream->name;

	strbuf_addf(w->err, " at byte %" PRIu64 "%s%s%s", w->stream->at,
		    name ? " of " : "", name ? name : "", more);
	return -EBADMSG;
}

static int bad(struct perf_walk *w, const char *what)
{
	strbuf_addf(w->err, "%s", what);
	return bad_place(w, "");
}

static int take_attr(struct perf_walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	struct perf_attr attr;

	if (!perf_attr_decode(&c, perf_attr_size(&c), &attr))
		return bad(w, "an event is truncated");
	perf_file_add_event(w->f, &attr);
	while (cursor_left(&c) >= 8)
		perf_file_add_id(w->f, cursor_u64(&c));
	return 0;
}

static void set_text(char **text, struct cursor *c)
{
	const char *value = cursor_str(c);

	if (!cursor_ok(c))
		return;
	free(*text);
	*text = xstrdup(value);
}

static void set_scale(double *scale, struct cursor *c)
{
	uint64_t word = cursor_u64(c);
	double value;

	memcpy(&value, &word, sizeof(value));
	if (cursor_ok(c) && isfinite(value) && value > 0)
		*scale = value;
}

static int take_update(struct perf_walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	uint64_t kind = cursor_u64(&c), id = cursor_u64(&c);
	uint32_t index = idmap_get(&w->f->ids, id, 0);
	struct perf_event *e;

	if (index == IDMAP_NONE)
		return 0;
	e = &w->f->events.data[index];
	if (kind == PERF_UPDATE_NAME)
		set_text(&e->name, &c);
	else if (kind == PERF_UPDATE_UNIT)
		set_text(&e->unit, &c);
	else if (kind == PERF_UPDATE_SCALE)
		set_scale(&e->scale, &c);
	return 0;
}

static int take_feature(struct perf_walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	uint64_t number = cursor_u64(&c);

	if (number < PERF_FEATURES &&
	    !perf_feature_decode(&w->f->info, (uint32_t)number, &c))
		w->f->left_out++;
	return 0;
}

static int take_build_id(struct perf_walk *w, const struct piece *p)
{
	struct cursor c;

	cursor_init(&c, p->bytes, p->len);
	c.swap = w->f->swap;
	if (!perf_build_id_decode(&w->f->info, &c))
		w->f->left_out++;
	return 0;
}

static int take_round(struct perf_walk *w, const struct piece *p)
{
	(void)p;
	if (w->f->parts.len)
		perf_stream_round(w->stream);
	else
		w->sink->round(w->sink->ctx);
	return 0;
}

/* Takes as much as fits the window, which then no longer holds the record. */
static void take_tracing_behind(struct perf_walk *w, size_t len, uint64_t size)
{
	const uint64_t most = PERF_WINDOW_LEAST / 2;
	struct perf_stream *s = w->stream;
	size_t have = (size_t)(size < most ? size : most);
	const void *bytes;
	struct cursor c;

	if (w->inner || s->end - s->at < len + have)
		return;
	bytes = perf_window_at(&s->window, s->at + len, have);
	if (!bytes)
		return;
	cursor_init(&c, bytes, have);
	c.swap = w->f->swap;
	perf_tracing_decode(&w->f->info, &c);
	w->f->left_out += !cursor_ok(&c) && have == size;
}

/* perf's follows the record, padded to 8; simpleperf's is within it. */
static int take_tracing(struct perf_walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	uint64_t size = cursor_u32(&c);

	if (size > cursor_left(&c)) {
		w->behind = (size + 7) & ~UINT64_C(7);
		take_tracing_behind(w, p->len, size);
	} else {
		c = cursor_sub(&c, (size_t)size);
		perf_tracing_decode(&w->f->info, &c);
		w->f->left_out += !cursor_ok(&c);
	}
	return 0;
}

static int take_auxtrace(struct perf_walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);

	w->behind = cursor_u64(&c);
	return 0;
}

static int64_t walk_bytes(void *ctx, const void *bytes, size_t len);

static int unzip(struct perf_walk *w, const void *bytes, size_t len)
{
	struct perf_walk inner = *w;
	size_t said = w->err->len;
	int error;

	if (w->inner)
		return bad(w, "a compressed record within a compressed one");
	inner.inner = true;
	error = perf_unzip(&w->stream->unzip, bytes, len, walk_bytes, &inner);
	if (error && w->err->len == said)
		return bad(w, "a compressed record that cannot be decompressed");
	return error;
}

static int take_compressed(struct perf_walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	size_t len = cursor_left(&c);

	return unzip(w, cursor_bytes(&c, len), len);
}

/* The second kind includes its size, as it is padded to 8. */
static int take_compressed2(struct perf_walk *w, const struct piece *p)
{
	struct cursor c = body_of(w, p);
	uint64_t len = cursor_u64(&c);
	const void *bytes = cursor_bytes(&c, len < SIZE_MAX ? (size_t)len : SIZE_MAX);

	if (!bytes)
		return bad(w, "a compressed record is too long");
	return unzip(w, bytes, (size_t)len);
}

static const struct taker {
	uint32_t type;
	int (*take)(struct perf_walk *, const struct piece *);
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

static int take(struct perf_walk *w, const struct piece *p)
{
	w->behind = 0;
	if (p->type < PERF_USER_TYPES) {
		perf_stream_see(w->stream,
				w->sink->record(w->sink->ctx, p->bytes, p->len));
		return 0;
	}
	for (size_t i = 0; i < sizeof(takers) / sizeof(takers[0]); i++)
		if (takers[i].type == p->type)
			return takers[i].take(w, p);
	return 0;
}

/* The type and length of the record whose header BYTES are. */
static int look(struct perf_walk *w, const void *bytes, struct piece *p)
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
	strbuf_addf(w->err, "a record of %u bytes", p->len);
	return bad_place(w, " cannot be: it is damaged there");
}

/* A perf_unzip_fn: takes the whole records of BYTES. */
static int64_t walk_bytes(void *ctx, const void *bytes, size_t len)
{
	struct perf_walk *w = ctx;
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

int perf_walk_step(struct perf_walk *w)
{
	struct perf_stream *s = w->stream;
	uint64_t left = s->end - s->at;
	const void *bytes;
	struct piece p;
	int error;

	if (left < PERF_RECORD_HEADER_SIZE)
		return 0;
	bytes = perf_window_at(&s->window, s->at, PERF_RECORD_HEADER_SIZE);
	if (!bytes)
		return 0;
	error = look(w, bytes, &p);
	if (error)
		return error;
	p.bytes = p.len <= left ? perf_window_at(&s->window, s->at, p.len) : NULL;
	if (!p.bytes)
		return 0;
	error = take(w, &p);
	if (error)
		return error;
	left -= p.len;
	if (w->behind > left)
		return 0;
	if (p.type == PERF_AUXTRACE)
		w->f->traced += w->behind;
	s->at += p.len + w->behind;
	return 1;
}
