/* SPDX-License-Identifier: Apache-2.0 */
#include "process/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* Two neighbors have at least half of CHUNK_MAX, so few chunks are enough. */
enum { CHUNK_FIRST = 8, CHUNK_MAX = 128 };

struct chunk {
	size_t users; /* indexes */
	size_t len, cap;
	struct mapping v[]; /* by start, never none */
};

struct slot {
	uint64_t end; /* of the chunk's last mapping */
	struct chunk *chunk;
};

struct space_index {
	size_t users;   /* spaces */
	size_t counted; /* of the room, for the slots of a copy */
	VEC(struct slot) v;
};

void space_init(struct space *s, struct space_room *room)
{
	*s = (struct space){ .room = room };
}

/* ---- shared parts ---- */

static void chunk_release(struct space_room *room, struct chunk *c)
{
	if (--c->users)
		return;
	room->held -= c->len;
	free(c);
}

void space_release(struct space *s)
{
	struct space_index *x = s->index;

	s->index = NULL;
	s->len = 0;
	if (!x || --x->users)
		return;
	s->room->held -= x->counted;
	vec_for_each(const struct slot, slot, &x->v)
		chunk_release(s->room, slot->chunk);
	vec_release(&x->v);
	free(x);
}

void space_copy(struct space *s, const struct space *from)
{
	space_release(s);
	*s = *from;
	if (s->index)
		s->index->users++;
}

static struct chunk *chunk_resized(struct chunk *c, size_t cap)
{
	c = xreallocarray(c, 1, sizeof(*c) + cap * sizeof(*c->v));
	c->cap = cap;
	return c;
}

static struct space_index *index_copy(const struct space_index *of)
{
	struct space_index *x = xcalloc(1, sizeof(*x));

	x->users = 1;
	x->counted = x->v.len = of->v.len;
	x->v.data = vec_grow(NULL, 0, &x->v.cap, of->v.len, sizeof(*x->v.data));
	memcpy(x->v.data, of->v.data, of->v.len * sizeof(*x->v.data));
	vec_for_each(const struct slot, slot, &x->v)
		slot->chunk->users++;
	return x;
}

/* After this the index may be changed. */
static void own_index(struct space *s)
{
	struct space_index *shared = s->index;

	if (!shared) {
		s->index = xcalloc(1, sizeof(*s->index));
		s->index->users = 1;
	} else if (shared->users > 1) {
		s->index = index_copy(shared);
		s->room->held += s->index->counted;
		shared->users--;
	}
}

/* … and so may the chunk, to which MORE mappings may be added. */
static struct chunk *own_chunk(struct space *s, size_t slot, size_t more)
{
	struct slot *at = &s->index->v.data[slot];
	struct chunk *c = at->chunk;
	size_t cap = c->users > 1 ? CHUNK_FIRST : c->cap;

	while (cap < c->len + more)
		cap *= 2;
	if (c->users > 1) {
		at->chunk = chunk_resized(NULL, cap);
		at->chunk->users = 1;
		at->chunk->len = c->len;
		memcpy(at->chunk->v, c->v, c->len * sizeof(*c->v));
		s->room->held += c->len;
		c->users--;
	} else if (cap > c->cap) {
		at->chunk = chunk_resized(c, cap);
	}
	return at->chunk;
}

/* ---- places ---- */

/* Before the mapping AT in the chunk of SLOT, or behind all. */
struct place {
	size_t slot, at;
};

/* Before the first mapping that ends above ADDRESS. */
static struct place place_above(const struct space *s, uint64_t address)
{
	const struct space_index *x = s->index;
	struct place p = { 0 };
	const struct chunk *c;

	if (!x)
		return p;
	p.slot = sorted_up_to(x->v.data, x->v.len, end, address);
	if (p.slot == x->v.len)
		return p;
	c = x->v.data[p.slot].chunk;
	p.at = sorted_up_to(c->v, c->len, end, address);
	return p;
}

static const struct mapping *mapping_at(const struct space *s, struct place p)
{
	if (!s->index || p.slot == s->index->v.len)
		return NULL;
	return &s->index->v.data[p.slot].chunk->v[p.at];
}

static struct place place_after(const struct space *s, struct place p)
{
	if (++p.at == s->index->v.data[p.slot].chunk->len)
		p = (struct place){ .slot = p.slot + 1 };
	return p;
}

const struct mapping *space_above(const struct space *s, uint64_t address)
{
	return mapping_at(s, place_above(s, address));
}

const struct mapping *space_find(const struct space *s, uint64_t address)
{
	const struct mapping *m = space_above(s, address);

	return m && m->start <= address ? m : NULL;
}

/* ---- the effect of a change ---- */

/* The mappings [FROM, TO) become the COUNT rows. */
struct patch {
	struct place from, to;
	size_t removed, count;
	struct mapping rows[3];
};

/* Keeps the remainders of others below and above M; M itself only if it is KEPT. */
static struct patch patch_of(const struct space *s, const struct mapping *m, bool kept)
{
	struct patch p = { .from = place_above(s, m->start) };
	const struct mapping *first = mapping_at(s, p.from), *last = NULL, *next = first;

	for (p.to = p.from; next && next->start < m->end; p.removed++) {
		last = next;
		p.to = place_after(s, p.to);
		next = mapping_at(s, p.to);
	}
	if (last && first->start < m->start) {
		p.rows[p.count] = *first;
		p.rows[p.count++].end = m->start;
	}
	if (kept)
		p.rows[p.count++] = *m;
	if (last && last->end > m->end)
		p.rows[p.count++] = (struct mapping){
			.start = m->end,
			.end = last->end,
			.offset = last->offset + (m->end - last->start),
			.module = last->module,
		};
	return p;
}

/* The number of mappings in that slot that P removes. */
static size_t removed_in(const struct patch *p, size_t slot, size_t len)
{
	size_t from = slot < p->from.slot ? len : slot > p->from.slot ? 0 : p->from.at;
	size_t to = slot < p->to.slot ? len : p->to.at;

	return to - from;
}

/*
 * The most that the room holds after P: of shared chunks, those at P's ends are copied,
 * and the one before it.
 */
static size_t held_with(const struct space *s, const struct patch *p)
{
	const struct space_index *x = s->index;
	size_t held = s->room->held + p->count;
	size_t slot = p->from.slot - (p->from.slot && !p->from.at);

	if (!x)
		return held;
	if (x->users > 1)
		held += x->v.len;
	for (; slot < x->v.len && slot <= p->to.slot; slot++) {
		const struct chunk *c = x->v.data[slot].chunk;
		size_t removed = removed_in(p, slot, c->len);

		if (x->users == 1 && c->users == 1)
			held -= removed;
		else if (removed < c->len)
			held += c->len - removed;
	}
	return held;
}

static bool fits(const struct space *s, const struct patch *p)
{
	const struct space_room *room = s->room;
	size_t len = s->len - p->removed + p->count;

	return held_with(s, p) <= room->most &&
	       (len <= s->len || len <= SPACE_MAX || len <= room->most - room->held);
}

/* ---- changes ---- */

static void note_end(struct space *s, size_t slot)
{
	const struct chunk *c = s->index->v.data[slot].chunk;

	s->index->v.data[slot].end = c->v[c->len - 1].end;
}

/* Removes these mappings, not all, from the slot's chunk. */
static void erase(struct space *s, size_t slot, size_t from, size_t to)
{
	struct chunk *c = own_chunk(s, slot, 0);

	memmove(&c->v[from], &c->v[to], (c->len - to) * sizeof(*c->v));
	c->len -= to - from;
	s->room->held -= to - from;
	note_end(s, slot);
}

static void drop_slots(struct space *s, size_t from, size_t to)
{
	struct space_index *x = s->index;

	for (size_t i = from; i < to; i++)
		chunk_release(s->room, x->v.data[i].chunk);
	memmove(&x->v.data[from], &x->v.data[to], (x->v.len - to) * sizeof(*x->v.data));
	x->v.len -= to - from;
}

/* The slot's chunk takes the next one's mappings, if they are few and nobody else's. */
static void merge(struct space *s, size_t slot)
{
	const struct slot *at = &s->index->v.data[slot];
	struct chunk *c, *next;

	if (slot + 1 >= s->index->v.len || at[0].chunk->users > 1 ||
	    at[1].chunk->users > 1 || at[0].chunk->len + at[1].chunk->len > CHUNK_MAX / 2)
		return;
	next = at[1].chunk;
	c = own_chunk(s, slot, next->len);
	memcpy(&c->v[c->len], next->v, next->len * sizeof(*c->v));
	c->len += next->len;
	s->room->held += next->len;
	note_end(s, slot);
	drop_slots(s, slot + 1, slot + 2);
}

static void remove_between(struct space *s, struct place from, struct place to)
{
	size_t first = from.slot;

	if (from.slot == to.slot) {
		erase(s, from.slot, from.at, to.at);
	} else {
		if (from.at)
			erase(s, first++, from.at,
			      s->index->v.data[from.slot].chunk->len);
		if (to.at)
			erase(s, to.slot, 0, to.at);
		drop_slots(s, first, to.slot);
	}
	merge(s, from.slot + 1);
	merge(s, from.slot);
	if (from.slot)
		merge(s, from.slot - 1);
}

/* Adds a slot with a new, empty chunk. */
static void add_slot(struct space *s, size_t slot)
{
	struct space_index *x = s->index;
	struct chunk *c = chunk_resized(NULL, CHUNK_FIRST);

	c->users = 1;
	c->len = 0;
	vec_reserve(&x->v, 1);
	memmove(&x->v.data[slot + 1], &x->v.data[slot],
		(x->v.len - slot) * sizeof(*x->v.data));
	x->v.data[slot] = (struct slot){ .chunk = c };
	x->v.len++;
}

/* The upper half of the slot's mappings moves to a new slot above it. */
static void split(struct space *s, size_t slot)
{
	struct chunk *lower = own_chunk(s, slot, 0), *upper;
	size_t half = lower->len / 2;

	add_slot(s, slot + 1);
	upper = own_chunk(s, slot + 1, lower->len - half);
	upper->len = lower->len - half;
	memcpy(upper->v, &lower->v[half], upper->len * sizeof(*upper->v));
	lower->len = half;
	note_end(s, slot);
	note_end(s, slot + 1);
}

static size_t len_of(const struct space *s, size_t slot)
{
	return s->index->v.data[slot].chunk->len;
}

/*
 * The same place, in a chunk with room for one more mapping.  Areas are mostly mapped in
 * one direction, below or above all others, so their chunks become full.
 */
static struct place make_room(struct space *s, struct place p)
{
	size_t slots = s->index->v.len;

	if (p.slot && (p.slot == slots || (!p.at && len_of(s, p.slot) == CHUNK_MAX))) {
		p.slot--;
		p.at = len_of(s, p.slot);
	}
	if (p.slot < slots && len_of(s, p.slot) < CHUNK_MAX)
		return p;
	if (!p.at || p.at == CHUNK_MAX) {
		p = (struct place){ .slot = p.slot + (p.at > 0) };
		add_slot(s, p.slot);
		return p;
	}
	split(s, p.slot);
	if (p.at >= len_of(s, p.slot))
		p = (struct place){ p.slot + 1, p.at - len_of(s, p.slot) };
	return p;
}

static void insert(struct space *s, const struct mapping *m)
{
	struct place p = make_room(s, place_above(s, m->start));
	struct chunk *c = own_chunk(s, p.slot, 1);

	memmove(&c->v[p.at + 1], &c->v[p.at], (c->len - p.at) * sizeof(*c->v));
	c->v[p.at] = *m;
	c->len++;
	s->room->held++;
	note_end(s, p.slot);
}

static void apply(struct space *s, const struct patch *p, uint32_t generation)
{
	if (!p->removed && !p->count)
		return;
	own_index(s);
	if (p->removed)
		remove_between(s, p->from, p->to);
	for (size_t i = 0; i < p->count; i++)
		insert(s, &p->rows[i]);
	s->len += p->count - p->removed;
	s->generation = generation;
	if (!s->len)
		space_release(s);
}

/* ---- calls ---- */

/* Whether A and B, one behind the other, are one mapping. */
static bool are_one(const struct mapping *a, const struct mapping *b)
{
	return a->module == b->module && a->offset - a->start == b->offset - b->start;
}

/* M, joined with its neighbors, and mappings below it, that it continues. */
static struct mapping joined(const struct space *s, const struct mapping *m)
{
	const struct mapping *below = m->start ? space_find(s, m->start - 1) : NULL;
	const struct mapping *above = space_find(s, m->end);
	struct mapping whole = *m;

	if (below && are_one(below, m)) {
		whole.start = below->start;
		whole.offset = below->offset;
	}
	if (above && are_one(m, above))
		whole.end = above->end;
	return whole;
}

bool space_takes(const struct space *s, const struct mapping *m)
{
	struct mapping whole;
	struct patch p;

	if (m->start >= m->end)
		return true;
	whole = joined(s, m);
	p = patch_of(s, &whole, true);
	return fits(s, &p);
}

unsigned space_add(struct space *s, const struct mapping *m, uint32_t generation)
{
	struct mapping whole;
	struct patch p;

	if (m->start >= m->end)
		return 0;
	whole = joined(s, m);
	p = patch_of(s, &whole, true);
	if (!fits(s, &p))
		return 1 + space_cut(s, m->start, m->end, generation);
	apply(s, &p, generation);
	return 0;
}

unsigned space_cut(struct space *s, uint64_t start, uint64_t end, uint32_t generation)
{
	struct patch p;
	bool over;

	if (start >= end)
		return 0;
	p = patch_of(s, &(struct mapping){ .start = start, .end = end }, false);
	if (!p.removed)
		return 0;
	over = p.count == 2 && !fits(s, &p);
	if (over)
		p.count--;
	if (fits(s, &p)) {
		apply(s, &p, generation);
		return over;
	}
	s->room->emptied++;
	space_release(s);
	s->generation = generation;
	return 0;
}
