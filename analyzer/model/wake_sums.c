/* SPDX-License-Identifier: Apache-2.0 */
#include "model/wake_sums.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* Ids of a map count up from 0. */
static uint32_t number_of(struct idmap *map, uint64_t a, uint32_t b)
{
	return idmap_intern(map, a, b, (uint32_t)map->len);
}

/* UINT32_MAX: there are too many. */
static uint32_t row_of(struct wake_sums *sums, const struct wake_row *key)
{
	uint32_t waiting = number_of(&sums->waiting, key->place, key->state);
	uint32_t waking = number_of(
		&sums->waking, (uint64_t)key->waker_place << 32 | key->name, key->kind);
	uint32_t id = idmap_get(&sums->ids, waiting, waking);

	if (id != IDMAP_NONE || sums->rows.len == WAKE_ROWS_MAX)
		return id;
	id = (uint32_t)sums->rows.len;
	idmap_set(&sums->ids, waiting, waking, id);
	*vec_push(&sums->rows) = *key;
	return id;
}

static struct wake_row key_of(struct wake_sums *sums, const struct wait *wait,
			      const struct exp_waker *waker)
{
	const struct experiment *exp = sums->model->sources.data[wait->source].exp;
	struct wake_row key = { .state = wait->state,
				.place = wait->place,
				.kind = waker->kind };

	if (waker->kind == EXP_WAKER_OF_RECORDING) {
		const struct exp_thread *thread = &exp->threads.data[waker->thread];
		const struct exp_thread *last = &exp->threads.data[thread->last];

		key.name = strtab_intern(&sums->names,
					 experiment_string(exp, last->name));
		key.waker_place = sums->places[wait->source][waker->node];
	}
	return key;
}

/* A wait_taker. */
static void take(void *ctx, const struct wait *wait)
{
	struct wake_sums *sums = ctx;
	const struct experiment *exp = sums->model->sources.data[wait->source].exp;
	const struct exp_waker *waker = experiment_waker(exp, wait->waker);
	struct wake_row key, *row;
	uint32_t id;

	if (wait->idle)
		return;
	if (!waker->kind) {
		weight_add(&sums->unknown_ns, wait->ns);
		sums->unknown_waits++;
		return;
	}
	key = key_of(sums, wait, waker);
	id = row_of(sums, &key);
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
	*out = (struct wake_sums){ .model = model };
	strtab_init(&out->names);
	out->places = xcalloc(model->sources.len + 1, sizeof(*out->places));
	for (size_t i = 0; i < model->sources.len; i++)
		out->places[i] = wait_places(model, i, frames);
	wait_sums_read_each(&out->waits, model, frames, WAKE_STATES, all, take, out);
	wait_sums_sort(&out->waits);
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
	if (!order)
		order = compare(a->kind, b->kind);
	if (!order)
		order = compare(a->name, b->name);
	return order ? order : compare(a->waker_place, b->waker_place);
}

static void release_index(struct wake_sums *sums)
{
	for (size_t i = 0; sums->places && i < sums->model->sources.len; i++)
		free(sums->places[i]);
	free(sums->places);
	sums->places = NULL;
	idmap_release(&sums->waiting);
	idmap_release(&sums->waking);
	idmap_release(&sums->ids);
}

void wake_sums_sort(struct wake_sums *sums)
{
	if (sums->rows.len)
		qsort(sums->rows.data, sums->rows.len, sizeof(*sums->rows.data), by_sum);
	release_index(sums);
}

void wake_sums_release(struct wake_sums *sums)
{
	release_index(sums);
	vec_release(&sums->rows);
	strtab_release(&sums->names);
	wait_sums_release(&sums->waits);
}
