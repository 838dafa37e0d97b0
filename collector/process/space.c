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

/* The mappings [FROM, TO) become the COUNT rows. */
struct patch {
	size_t from, to, count;
	struct mapping rows[3];
};

/* What is left of others below and above M is kept; M itself only if it is KEPT. */
static struct patch patch_of(const struct space *s, const struct mapping *m, bool kept)
{
	struct patch p = { .from = first_above(s, m->start) };

	for (p.to = p.from; p.to < s->v.len && s->v.data[p.to].start < m->end; p.to++)
		continue;
	if (p.from < p.to && s->v.data[p.from].start < m->start) {
		p.rows[p.count] = s->v.data[p.from];
		p.rows[p.count++].end = m->start;
	}
	if (kept)
		p.rows[p.count++] = *m;
	if (p.from < p.to && s->v.data[p.to - 1].end > m->end) {
		const struct mapping *old = &s->v.data[p.to - 1];

		p.rows[p.count++] = (struct mapping){
			.start = m->end,
			.end = old->end,
			.offset = old->offset + (m->end - old->start),
			.module = old->module,
		};
	}
	return p;
}

static size_t len_with(const struct space *s, const struct patch *p)
{
	return s->v.len - (p->to - p->from) + p->count;
}

static void apply(struct space *s, const struct patch *p, uint32_t generation)
{
	if (p->from == p->to && !p->count)
		return;
	vec_reserve(&s->v, p->count);
	memmove(&s->v.data[p->from + p->count], &s->v.data[p->to],
		(s->v.len - p->to) * sizeof(*s->v.data));
	memcpy(&s->v.data[p->from], p->rows, p->count * sizeof(*p->rows));
	s->v.len = len_with(s, p);
	s->generation = generation;
}

bool space_takes(const struct space *s, const struct mapping *m, size_t most)
{
	struct patch p;

	if (m->start >= m->end)
		return true;
	p = patch_of(s, m, true);
	return len_with(s, &p) <= most;
}

unsigned space_add(struct space *s, const struct mapping *m, size_t most,
		   uint32_t generation)
{
	struct patch p;

	if (m->start >= m->end)
		return 0;
	p = patch_of(s, m, true);
	if (len_with(s, &p) > most)
		return 1 + space_cut(s, m->start, m->end, most, generation);
	apply(s, &p, generation);
	return 0;
}

unsigned space_cut(struct space *s, uint64_t start, uint64_t end, size_t most,
		   uint32_t generation)
{
	struct patch p;
	bool over;

	if (start >= end)
		return 0;
	p = patch_of(s, &(struct mapping){ .start = start, .end = end }, false);
	over = len_with(s, &p) > most;
	if (over)
		p.count--; /* of the two sides of one */
	apply(s, &p, generation);
	return over;
}

const struct mapping *space_find(const struct space *s, uint64_t address)
{
	size_t i = first_above(s, address);

	if (i < s->v.len && s->v.data[i].start <= address)
		return &s->v.data[i];
	return NULL;
}
