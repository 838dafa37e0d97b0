/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/group_counts.h"

void group_counts_release(struct group_counts *c)
{
	idmap_release(&c->ids);
	idmap_release(&c->threads);
	vec_release(&c->last);
}

/* A place for the counter ID of TID, which was not seen before. */
static uint32_t add(struct group_counts *c, uint64_t id, uint32_t tid)
{
	uint32_t index = c->unused ? c->unused - 1 : (uint32_t)c->last.len;
	uint32_t others = idmap_get(&c->threads, tid, 0);

	if (c->unused)
		c->unused = c->last.data[index].next;
	else
		(void)vec_push(&c->last);
	c->last.data[index] = (struct group_count){
		.id = id,
		.next = others == IDMAP_NONE ? 0 : others + 1,
	};
	idmap_set(&c->ids, id, tid, index);
	idmap_set(&c->threads, tid, 0, index);
	return index;
}

/* A value below the last one belongs to another counter: the tid was reused. */
static uint64_t step(struct group_counts *c, uint64_t id, uint32_t tid, uint64_t value)
{
	uint32_t index = idmap_get(&c->ids, id, tid);
	uint64_t before;

	if (index == IDMAP_NONE)
		index = add(c, id, tid);
	before = c->last.data[index].value;
	c->last.data[index].value = value;
	return value < before ? value : value - before;
}

void group_counts_take(struct group_counts *c, const struct record_counts *counts,
		       bool named, uint64_t own, uint32_t tid, group_counts_fn *take,
		       void *ctx)
{
	for (size_t i = 0; i < counts->len; i++) {
		const uint64_t *words = counts->words + i * counts->width;
		uint64_t id = named ? words[1] : own;
		uint64_t weight = step(c, id, tid, words[0]);

		if (weight)
			take(ctx, id, weight);
	}
}

void group_counts_end(struct group_counts *c, uint32_t tid)
{
	uint32_t first = tid ? idmap_get(&c->threads, tid, 0) : IDMAP_NONE, next;

	if (first == IDMAP_NONE)
		return;
	idmap_remove(&c->threads, tid, 0);
	for (uint32_t at = first + 1; at; at = next) {
		struct group_count *count = &c->last.data[at - 1];

		idmap_remove(&c->ids, count->id, tid);
		next = count->next;
		count->next = c->unused;
		c->unused = at;
	}
}

void group_counts_move(struct group_counts *c, uint32_t from, uint32_t to)
{
	uint32_t first = idmap_get(&c->threads, from, 0);

	if (!from || first == IDMAP_NONE)
		return;
	group_counts_end(c, to);
	idmap_remove(&c->threads, from, 0);
	idmap_set(&c->threads, to, 0, first);
	for (uint32_t at = first + 1; at; at = c->last.data[at - 1].next) {
		idmap_remove(&c->ids, c->last.data[at - 1].id, from);
		idmap_set(&c->ids, c->last.data[at - 1].id, to, at - 1);
	}
}
