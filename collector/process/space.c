/* SPDX-License-Identifier: Apache-2.0 */
#include "process/space.h"

#include <stdbool.h>
#include <string.h>

#include "base/sorted.h"

void space_release(struct space *s)
{
	vec_release(&s->v);
}

void space_copy(struct space *s, const struct space *from)
{
	vec_clear(&s->v);
	if (from->v.len) {
		vec_reserve(&s->v, from->v.len);
		memcpy(s->v.data, from->v.data, from->v.len * sizeof(*s->v.data));
	}
	s->v.len = from->v.len;
	s->generation = from->generation;
}

/* The index of the first mapping that ends above ADDRESS. */
static size_t first_above(const struct space *s, uint64_t address)
{
	return sorted_up_to(s->v.data, s->v.len, end, address);
}

/* Makes the mappings [FROM, TO) be the COUNT rows of WITH. */
static void splice_rows(struct space *s, size_t from, size_t to,
			const struct mapping *with, size_t count)
{
	vec_reserve(&s->v, count);
	memmove(&s->v.data[from + count], &s->v.data[to],
		(s->v.len - to) * sizeof(*s->v.data));
	memcpy(&s->v.data[from], with, count * sizeof(*with));
	s->v.len = s->v.len - (to - from) + count;
}

/* What is left of others below and above M is kept; M itself only if it is KEPT. */
static void put(struct space *s, const struct mapping *m, bool kept, uint32_t generation)
{
	struct mapping rows[3];
	size_t from, to, count = 0;

	if (m->start >= m->end)
		return;
	from = first_above(s, m->start);
	for (to = from; to < s->v.len && s->v.data[to].start < m->end; to++)
		continue;
	if (from < to && s->v.data[from].start < m->start) {
		rows[count] = s->v.data[from];
		rows[count++].end = m->start;
	}
	if (kept)
		rows[count++] = *m;
	if (from < to && s->v.data[to - 1].end > m->end) {
		const struct mapping *old = &s->v.data[to - 1];

		rows[count++] = (struct mapping){
			.start = m->end,
			.end = old->end,
			.offset = old->offset + (m->end - old->start),
			.module = old->module,
		};
	}
	if (from == to && !count)
		return;
	splice_rows(s, from, to, rows, count);
	s->generation = generation;
}

void space_add(struct space *s, const struct mapping *m, uint32_t generation)
{
	put(s, m, true, generation);
}

void space_cut(struct space *s, uint64_t start, uint64_t end, uint32_t generation)
{
	put(s, &(struct mapping){ .start = start, .end = end }, false, generation);
}

const struct mapping *space_find(const struct space *s, uint64_t address)
{
	size_t i = first_above(s, address);

	if (i < s->v.len && s->v.data[i].start <= address)
		return &s->v.data[i];
	return NULL;
}
