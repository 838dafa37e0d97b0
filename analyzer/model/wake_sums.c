/* SPDX-License-Identifier: Apache-2.0 */
#include "model/wake_sums.h"

#include <stdlib.h>

/* Ids of a map count up from 0. */
static uint32_t number_of(struct idmap *map, uint64_t a, uint32_t b)
{
	return idmap_intern(map, a, b, (uint32_t)map->len);
}

/* IDMAP_NONE: there are too many. */
static uint32_t row_of(struct wake_sums *sums, const struct wait *wait, uint32_t waker)
{
	uint32_t waiting = number_of(&sums->waiting, wait->place, wait->state);
	uint32_t id = idmap_get(&sums->ids, waiting, waker);

	if (id != IDMAP_NONE || sums->rows.len == WAKE_ROWS_MAX)
		return id;
	id = (uint32_t)sums->rows.len;
	idmap_set(&sums->ids, waiting, waker, id);
	*vec_push(&sums->rows) = (struct wake_row){ .state = wait->state,
						    .place = wait->place,
						    .waker = waker };
	return id;
}

bool source_has_wakers(const struct source *source)
{
	return source->exp->log.wakers || source->exp->wakers.len > 1;
}

/* A wait_taker. */
static void take(void *ctx, const struct wait *wait)
{
	struct wake_sums *sums = ctx;
	uint32_t waker = wakers_row(&sums->wakers, wait->source, wait->waker);
	struct wake_row *row;
	uint32_t id;

	if (wait->idle)
		return;
	if (waker == WAKER_UNKNOWN) {
		weight_add(&sums->unknown_ns, wait->ns);
		sums->unknown_waits++;
		sums->unasked_waits += !source_has_wakers(
			&sums->wakers.model->sources.data[wait->source]);
		return;
	}
	id = row_of(sums, wait, waker);
	if (id == IDMAP_NONE) {
		weight_add(&sums->beyond_ns, wait->ns);
		sums->beyond_waits++;
		return;
	}
	row = &sums->rows.data[id];
	weight_add(&row->sum_ns, wait->ns);
	row->waits++;
	if (wait->ns > row->longest_ns)
		row->longest_ns = wait->ns;
}

void wake_sums_read(struct wake_sums *out, const struct model *model,
		    const struct frame_map *frames, bool all)
{
	*out = (struct wake_sums){ 0 };
	wakers_init(&out->wakers, model, frames);
	wait_sums_read_each(&out->waits, model, frames, WAKE_STATES, all, take, out);
	wait_sums_sort(&out->waits);
	wakers_settle(&out->wakers);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_sum(const void *va, const void *vb)
{
	const struct wake_row *a = va, *b = vb;
	int order = compare(b->sum_ns, a->sum_ns);

	if (!order)
		order = compare(b->waits, a->waits);
	if (!order)
		order = compare(a->state, b->state);
	if (!order)
		order = compare(a->place, b->place);
	return order ? order : compare(a->waker, b->waker);
}

void wake_sums_sort(struct wake_sums *sums)
{
	if (sums->rows.len)
		qsort(sums->rows.data, sums->rows.len, sizeof(*sums->rows.data), by_sum);
	idmap_release(&sums->waiting);
	idmap_release(&sums->ids);
}

void wake_sums_release(struct wake_sums *sums)
{
	idmap_release(&sums->waiting);
	idmap_release(&sums->ids);
	vec_release(&sums->rows);
	wakers_release(&sums->wakers);
	wait_sums_release(&sums->waits);
}
