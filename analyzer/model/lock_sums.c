/* SPDX-License-Identifier: Apache-2.0 */
#include "model/lock_sums.h"

#include <stdlib.h>

#define ANY_ROW UINT32_MAX

/* Ids of a map count up from 0. */
static uint32_t number_of(struct idmap *map, uint64_t a, uint32_t b, bool *is_new)
{
	uint32_t next = (uint32_t)map->len, id = idmap_intern(map, a, b, next);

	*is_new = id == next;
	return id;
}

static uint32_t row_id(struct lock_sums *sums, const struct lock_row *key)
{
	uint64_t place = (uint64_t)key->source << 32 | key->place;
	bool is_new;
	uint32_t of = number_of(&sums->places, place, key->process, &is_new);
	uint32_t id = number_of(&sums->ids, key->address, of, &is_new);

	if (is_new)
		*vec_push(&sums->rows) = *key;
	return id;
}

/* Beyond the limit the rows are no more than there are places. */
static uint32_t row_of(struct lock_sums *sums, const struct wait *wait)
{
	const struct experiment *exp = sums->model->sources.data[wait->source].exp;
	struct lock_row key = {
		.address = wait->address,
		.source = (uint32_t)wait->source,
		.process = exp->threads.data[wait->thread].process,
		.place = wait->place,
		.waker = WAKER_UNKNOWN,
	};
	uint64_t place = (uint64_t)key.source << 32 | key.place;
	uint32_t of;

	if (sums->rows.len < LOCK_ROWS_MAX)
		return row_id(sums, &key);
	of = idmap_get(&sums->places, place, key.process);
	if (of != IDMAP_NONE && idmap_get(&sums->ids, key.address, of) != IDMAP_NONE)
		return row_id(sums, &key);
	sums->any_beyond = true;
	key.address = 0;
	key.process = LOCK_NO_PROCESS;
	return row_id(sums, &key);
}

/* Whether WAIT is its thread's first in ROW. */
static bool is_first(struct lock_sums *sums, const struct wait *wait, uint32_t row)
{
	uint64_t thread = (uint64_t)wait->source << 32 | wait->thread;
	bool is_new;

	number_of(&sums->stays, thread, row, &is_new);
	return is_new;
}

static void add_end(struct lock_sums *sums, const struct wait *wait, uint32_t row)
{
	uint32_t waker = wakers_row(&sums->wakers, wait->source, wait->waker), id;
	bool is_new;

	if (waker == WAKER_UNKNOWN)
		return;
	id = number_of(&sums->end_ids, row, waker, &is_new);
	if (is_new)
		*vec_push(&sums->ends) = (struct lock_end){ row, waker, 0 };
	weight_add(&sums->ends.data[id].ns, wait->ns);
}

/* The one with most of each row; of two, the one that was there first. */
static void choose_wakers(struct lock_sums *sums)
{
	vec_for_each(const struct lock_end, end, &sums->ends) {
		struct lock_row *row = &sums->rows.data[end->row];

		if (row->waker != WAKER_UNKNOWN && end->ns <= row->waker_ns)
			continue;
		row->waker = end->waker;
		row->waker_ns = end->ns;
	}
}

/* A wait_taker. */
static void take(void *ctx, const struct wait *wait)
{
	struct lock_sums *sums = ctx;
	uint64_t known = wait->address ? wait->ns : 0;
	struct lock_row *row;
	uint32_t id;

	weight_add(&sums->known_ns, known);
	sums->threads += is_first(sums, wait, ANY_ROW);
	if (wait->idle) {
		weight_add(&sums->idle_known_ns, known);
		return;
	}
	id = row_of(sums, wait);
	row = &sums->rows.data[id];
	durations_add(&row->durations, wait->ns);
	weight_add(&row->known_ns, known);
	row->threads += is_first(sums, wait, id);
	add_end(sums, wait, id);
}

void lock_sums_read(struct lock_sums *out, const struct model *model,
		    const struct frame_map *frames, bool all)
{
	*out = (struct lock_sums){ .model = model };
	wakers_init(&out->wakers, model, frames);
	wait_sums_read_each(&out->waits, model, frames, 1U << EXP_STATE_LOCK, all, take,
			    out);
	wait_sums_sort(&out->waits);
	wakers_settle(&out->wakers);
	choose_wakers(out);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_sum(const void *va, const void *vb)
{
	const struct lock_row *a = va, *b = vb;
	int order = compare(b->durations.sum_ns, a->durations.sum_ns);

	if (!order)
		order = compare(b->durations.count, a->durations.count);
	if (!order)
		order = compare(a->source, b->source);
	if (!order)
		order = compare(a->process, b->process);
	if (!order)
		order = compare(a->address, b->address);
	return order ? order : compare(a->place, b->place);
}

void lock_sums_sort(struct lock_sums *sums)
{
	if (sums->rows.len)
		qsort(sums->rows.data, sums->rows.len, sizeof(*sums->rows.data), by_sum);
	idmap_release(&sums->places);
	idmap_release(&sums->ids);
	idmap_release(&sums->stays);
	idmap_release(&sums->end_ids);
	vec_release(&sums->ends);
}

void lock_sums_release(struct lock_sums *sums)
{
	vec_for_each(struct lock_row, row, &sums->rows)
		durations_release(&row->durations);
	vec_release(&sums->rows);
	idmap_release(&sums->places);
	idmap_release(&sums->ids);
	idmap_release(&sums->stays);
	idmap_release(&sums->end_ids);
	vec_release(&sums->ends);
	wakers_release(&sums->wakers);
	wait_sums_release(&sums->waits);
}
