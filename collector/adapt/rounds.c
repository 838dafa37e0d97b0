/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/rounds.h"

enum {
	SHORT_MS = 10, /* if a ring cannot wake us, or stacks had holes recently */
	EARLY_MS = 5,  /* while copies adapt, and the stack beyond them is read */
	BEYOND_MIN = 2,
	BEYOND_ONE_IN = 64,
};

#define EARLY_NS 200000000u
#define HOLES_NS 2000000000u
#define NEWS_NS  100000000u

void rounds_init(struct rounds *r, struct recording *rec)
{
	*r = (struct rounds){
		.rec = rec,
		.began_ns = rec->start_ns,
		.most_ms = ROUNDS_MS,
	};
}

void rounds_shorten(struct rounds *r)
{
	r->most_ms = SHORT_MS;
}

/*
 * A short program with deep stacks ends before a ring is half full, and several rounds
 * pass before its truncated copies are noticed.
 */
static bool is_early(const struct rounds *r, const struct stagger *stagger, uint64_t now)
{
	return (r->rec->stack.mode == STACK_CFI || stagger_is_possible(stagger)) &&
	       now - r->began_ns < EARLY_NS;
}

/* Whether enough stacks need it; small rings would overflow during a reading. */
void rounds_look(struct rounds *r, const struct copies *copies, bool stopped)
{
	uint64_t samples, beyond = copies_beyond(copies, &samples);

	r->growing = !stopped && evlist_rings_grow(copies->evlist);
	stack_builder_want_beyond(
		&r->rec->stack,
		copies_are_largest(copies) && !evlist_has_small_rings(copies->evlist) &&
			beyond >= BEYOND_MIN && beyond * BEYOND_ONE_IN >= samples);
}

/* A stack with holes mostly has more, and each costs samples until it is found. */
static bool note_new_holes(struct rounds *r, uint64_t count, uint64_t now)
{
	if (count != r->holes) {
		r->holes = count;
		r->hole_ns = now;
	}
	return count && now - r->hole_ns < HOLES_NS;
}

/*
 * Reading beyond a copy takes some rounds, which the call must outlast; and after a call
 * ends, another mostly follows.
 */
static int note_news(struct rounds *r, uint64_t news, uint64_t now, int round_ms)
{
	if (news != r->news) {
		r->news = news;
		r->news_ns = now;
	}
	if (!news || now - r->news_ns >= HOLES_NS)
		return round_ms;
	return now - r->news_ns < NEWS_NS ? EARLY_MS : SHORT_MS;
}

int rounds_next_ms(struct rounds *r, const struct stagger *stagger, uint64_t now)
{
	struct stack_stats stats;
	int round_ms = r->most_ms;

	if (r->growing || is_early(r, stagger, now) || stagger_is_on(stagger))
		return EARLY_MS;
	stats = stack_builder_stats(&r->rec->stack);
	if (note_new_holes(r, stats.holes, now))
		round_ms = SHORT_MS;
	return note_news(r, stats.news, now, round_ms);
}
