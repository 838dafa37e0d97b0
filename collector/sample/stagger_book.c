/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/stagger_book.h"

void stagger_book_release(struct stagger_book *book)
{
	for (size_t i = 0; i < STAGGER_GENERATIONS; i++) {
		vec_release(&book->generations[i].owners);
		vec_release(&book->generations[i].ids);
	}
	*book = (struct stagger_book){ 0 };
}

static struct stagger_generation *slot_of(struct stagger_book *book, uint32_t number)
{
	return &book->generations[number % STAGGER_GENERATIONS];
}

struct stagger_generation *stagger_book_begin(struct stagger_book *book)
{
	struct stagger_generation *g = slot_of(book, ++book->last);

	vec_clear(&g->owners);
	vec_clear(&g->ids);
	g->number = book->last;
	g->from_ns = g->to_ns = UINT64_MAX;
	return g;
}

void stagger_book_end(struct stagger_book *book, uint64_t time_ns)
{
	struct stagger_generation *g = slot_of(book, book->last);

	if (book->last && g->to_ns == UINT64_MAX)
		g->to_ns = time_ns;
}

static const struct stagger_generation *generation(const struct stagger_book *book,
						   uint32_t number)
{
	const struct stagger_generation *g =
		&book->generations[number % STAGGER_GENERATIONS];

	return number && g->number == number ? g : NULL;
}

static bool lasts(const struct stagger_generation *g, uint64_t time_ns)
{
	return time_ns >= g->from_ns && time_ns < g->to_ns;
}

bool stagger_book_covers(const struct stagger_book *book, uint32_t heir, uint64_t time_ns)
{
	const struct stagger_generation *g = generation(book, heir);

	return g && lasts(g, time_ns);
}

static bool owns(const struct stagger_generation *g, uint32_t tid)
{
	vec_for_each(const uint32_t, owner, &g->owners)
		if (*owner == tid)
			return true;
	return false;
}

/* Keeps TID among the latest parents, replacing the one that is silent longest. */
static void note_parent(struct stagger_book *book, uint32_t tid, uint64_t time_ns)
{
	struct stagger_parent *oldest = &book->parents[0];

	for (size_t i = 0; i < STAGGER_PARENTS; i++) {
		struct stagger_parent *p = &book->parents[i];

		if (p->tid == tid || p->time_ns < oldest->time_ns)
			oldest = p;
		if (p->tid == tid)
			break;
	}
	*oldest = (struct stagger_parent){ tid, time_ns };
}

uint32_t stagger_book_fork(struct stagger_book *book, uint32_t tid, uint32_t heir,
			   uint64_t time_ns)
{
	note_parent(book, tid, time_ns);
	if (stagger_book_covers(book, heir, time_ns))
		return heir;
	for (size_t i = 0; i < STAGGER_GENERATIONS; i++) {
		const struct stagger_generation *g = &book->generations[i];

		if (g->number && lasts(g, time_ns) && owns(g, tid))
			return g->number;
	}
	return 0;
}

/* The longest period of all events with random ones; 0: there are none. */
static double longest(const struct stagger_book *book)
{
	double most = 0;

	for (size_t e = 0; e < STAGGER_EVENTS; e++)
		if (book->plans[e].period > most)
			most = book->plans[e].period;
	return most;
}

void stagger_book_exit(struct stagger_book *book, uint64_t born_ns, uint64_t time_ns)
{
	if (born_ns && time_ns >= born_ns &&
	    (double)(time_ns - born_ns) < STAGGER_SHORT * longest(book))
		book->short_lived++;
}

const struct stagger_generation *stagger_book_find(const struct stagger_book *book,
						   uint64_t id, uint32_t *event)
{
	for (size_t i = 0; i < STAGGER_GENERATIONS; i++)
		vec_for_each(const struct stagger_id, at, &book->generations[i].ids) {
			if (at->id != id)
				continue;
			*event = at->event;
			return &book->generations[i];
		}
	return NULL;
}
