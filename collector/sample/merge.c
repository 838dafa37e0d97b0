/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void merge_init(struct merge *m, const struct record_format *format, struct ring *rings,
		size_t count)
{
	*m = (struct merge){
		.format = format,
		.rings = rings,
		.count = count,
		.last = xcalloc(count, sizeof(*m->last)),
		.heap = xcalloc(count, sizeof(*m->heap)),
	};
}

void merge_release(struct merge *m)
{
	free(m->last);
	free(m->heap);
	*m = (struct merge){ 0 };
}

/* By time, then by ring, so the order is always the same. */
static int before(const struct merge_entry *a, const struct merge_entry *b)
{
	return a->time != b->time ? a->time < b->time : a->ring < b->ring;
}

static void swap(struct merge_entry *a, struct merge_entry *b)
{
	struct merge_entry t = *a;

	*a = *b;
	*b = t;
}

static void sift_down(struct merge *m, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1, least = i;

		for (size_t c = child; c < child + 2 && c < m->heap_len; c++)
			if (before(&m->heap[c], &m->heap[least]))
				least = c;
		if (least == i)
			return;
		swap(&m->heap[i], &m->heap[least]);
		i = least;
	}
}

static void sift_up(struct merge *m, size_t i)
{
	for (; i && before(&m->heap[i], &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&m->heap[i], &m->heap[(i - 1) / 2]);
}

static bool is_loss(const struct merge *m, const void *bytes)
{
	return record_type(m->format, bytes) == PERF_RECORD_LOST;
}

/* The time of the ring's last record; it stays where it is. */
static uint64_t last_time(const struct merge *m, struct ring *ring)
{
	const uint64_t tail = ring->tail, bad = ring->bad_records;
	const void *bytes;
	uint64_t time = 0;
	size_t len;

	while ((bytes = ring_peek(ring, &len))) {
		time = record_time(m->format, bytes, len);
		ring->tail += len;
	}
	ring->tail = tail;
	ring->bad_records = bad;
	return time;
}

/*
 * A full ring that was emptied has no new record: the thread that it would be of may be on
 * another CPU by now.  What others did until there was room again may be lost too.
 */
static void tell_hidden(const struct merge *m, struct ring *ring, uint64_t now)
{
	if (!m->losses_first || !m->hidden || ring->told || !ring->full ||
	    ring->full_head != ring->head || ring->tail != ring->head)
		return;
	ring->told = true;
	m->hidden(m->hidden_ctx, (size_t)(ring - m->rings), now);
}

/*
 * The next round shows what a full ring lost after its last record.  Until then nobody knows
 * what happened since.
 */
static uint64_t limit_to_known(const struct merge *m, struct ring *ring, uint64_t limit)
{
	uint64_t last;

	if (!m->losses_first || limit == UINT64_MAX || !ring_was_full(ring))
		return limit;
	last = last_time(m, ring);
	return last && last < limit ? last : limit;
}

/* Puts the ring's next record into E; 0: it has none that is old enough. */
static int next_of(struct merge *m, struct ring *ring, uint64_t limit,
		   struct merge_entry *e)
{
	uint64_t *last = &m->last[ring - m->rings];

	e->ring = ring;
	e->bytes = ring_peek(ring, &e->len);
	if (!e->bytes)
		return 0;
	if (m->losses_first && *last && is_loss(m, e->bytes)) {
		e->time = *last;
		return 1;
	}
	e->time = record_time(m->format, e->bytes, e->len);
	if (e->time > limit)
		return 0;
	if (e->time < *last)
		e->time = *last;
	*last = e->time;
	return 1;
}

/* What records were held is used no more. */
static void settle(struct merge *m, void *ctx)
{
	m->settle(ctx);
	for (size_t i = 0; i < m->count; i++)
		if (m->rings[i].page)
			ring_give_back_part(&m->rings[i]);
}

/* What is read at once: the fields and the top of the stack; of what is held, the time. */
enum { SPAN = 2048, SPAN_HELD = 128 };

static void pass_on_all(struct merge *m, uint64_t limit, merge_fn *fn, void *ctx)
{
	const size_t span = m->held_max ? SPAN_HELD : SPAN;
	size_t held = 0;

	while (m->heap_len) {
		struct merge_entry *top = &m->heap[0];

		ring_prefetch(top->ring, top->len, span, !m->held_max);
		fn(ctx, top->bytes, top->len);
		ring_step(top->ring, top->len);
		if (!m->held_max) {
			ring_give_back_part(top->ring);
		} else if (++held == m->held_max || ring_holds_much(top->ring)) {
			settle(m, ctx);
			held = 0;
		}
		if (!next_of(m, top->ring, limit, top))
			*top = m->heap[--m->heap_len];
		sift_down(m, 0);
	}
	if (m->held_max)
		m->settle(ctx);
}

void merge_round(struct merge *m, uint64_t now, merge_fn *fn, void *ctx)
{
	uint64_t limit = now == UINT64_MAX ? now : now - MERGE_SLACK_NS;

	m->heap_len = 0;
	for (size_t i = 0; i < m->count; i++) {
		if (!m->rings[i].page)
			continue;
		ring_look(&m->rings[i]);
		tell_hidden(m, &m->rings[i], now);
		limit = limit_to_known(m, &m->rings[i], limit);
	}
	m->until_ns = limit;
	for (size_t i = 0; i < m->count; i++) {
		if (!m->rings[i].page)
			continue;
		if (next_of(m, &m->rings[i], limit, &m->heap[m->heap_len]))
			sift_up(m, m->heap_len++);
	}
	pass_on_all(m, limit, fn, ctx);
	for (size_t i = 0; i < m->count; i++)
		if (m->rings[i].page)
			ring_give_back(&m->rings[i]);
}
