/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/group_counts.h"

void group_counts_release(struct group_counts *c)
{
	idmap_release(&c->ids);
	vec_release(&c->last);
}

/* A value below the last one is of another counter: a number of a thread came back. */
static uint64_t step(struct group_counts *c, uint64_t id, uint32_t tid, uint64_t value)
{
	uint32_t next = (uint32_t)c->last.len;
	uint32_t index = idmap_intern(&c->ids, id, tid, next);
	uint64_t before;

	if (index == next)
		*vec_push(&c->last) = 0;
	before = c->last.data[index];
	c->last.data[index] = value;
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
