/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_queue.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 20 };

void perf_queue_release(struct perf_queue *q)
{
	strbuf_release(&q->bytes);
	strbuf_release(&q->kept);
	vec_release(&q->v);
}

static int compare(const void *a, const void *b)
{
	const struct perf_queued *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void sort(struct perf_queue *q)
{
	const struct perf_queued *v = q->v.data;
	size_t i = 1;

	while (i < q->v.len && compare(&v[i - 1], &v[i]) < 0)
		i++;
	if (i < q->v.len)
		qsort(q->v.data, q->v.len, sizeof(*q->v.data), compare);
}

/* Keeps the next one aligned. */
static size_t room_of(uint32_t len)
{
	return ((size_t)len + 7) & ~(size_t)7;
}

/* Keeps the records from FROM on, alone and in their order. */
static void keep(struct perf_queue *q, size_t from)
{
	struct strbuf old = q->bytes;
	size_t count = q->v.len - from;

	strbuf_clear(&q->kept);
	for (size_t i = 0; i < count; i++) {
		struct perf_queued e = q->v.data[from + i];
		size_t at = q->kept.len;

		memcpy(strbuf_add_room(&q->kept, room_of(e.len)), q->bytes.data + e.at,
		       e.len);
		e.at = at;
		q->v.data[i] = e;
	}
	q->v.len = count;
	q->bytes = q->kept;
	q->kept = old;
}

/* Passes on the first COUNT sorted records. */
static void hand_out(struct perf_queue *q, size_t count, perf_queue_fn *fn, void *ctx)
{
	for (size_t i = 0; i < count; i++) {
		const struct perf_queued *e = &q->v.data[i];

		if (e->time < q->reached)
			q->late++;
		else
			q->reached = e->time;
		fn(ctx, q->bytes.data + e->at, e->len);
	}
	if (count)
		keep(q, count);
	q->left = q->bytes.len;
}

void perf_queue_add(struct perf_queue *q, uint64_t time, const void *bytes, size_t len,
		    perf_queue_fn *fn, void *ctx)
{
	*vec_push(&q->v) = (struct perf_queued){ time, q->bytes.len, (uint32_t)len };
	memcpy(strbuf_add_room(&q->bytes, room_of((uint32_t)len)), bytes, len);
	if (time > q->newest)
		q->newest = time;
	if (q->bytes.len < PERF_QUEUE_MAX)
		return;
	sort(q);
	hand_out(q, (q->v.len + 1) / 2, fn, ctx);
}

/* The number of sorted records no newer than TIME. */
static size_t count_until(const struct perf_queue *q, uint64_t time)
{
	size_t count = 0;

	while (count < q->v.len && q->v.data[count].time <= time)
		count++;
	return count;
}

void perf_queue_round(struct perf_queue *q, perf_queue_fn *fn, void *ctx)
{
	sort(q);
	hand_out(q, count_until(q, q->limit), fn, ctx);
	q->limit = q->newest;
}

void perf_queue_until(struct perf_queue *q, uint64_t time, perf_queue_fn *fn, void *ctx)
{
	/* sorting and moving cost in proportion to the queue: let it double first */
	if (q->bytes.len < 2 * q->left + STEP)
		return;
	sort(q);
	hand_out(q, count_until(q, time), fn, ctx);
}

void perf_queue_flush(struct perf_queue *q, perf_queue_fn *fn, void *ctx)
{
	sort(q);
	hand_out(q, q->v.len, fn, ctx);
}
