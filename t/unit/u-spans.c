/* SPDX-License-Identifier: Apache-2.0 */
/* Spans, drawn at random, against a bit for each number. */
#include "base/spans.h"

#include <string.h>

#include "random.h"
#include "tap.h"

enum { ROUNDS = 3000, NUMBERS = 64 };

struct pair {
	struct spans spans;
	bool bits[NUMBERS];
};

/* Bits of 0 … NUMBERS-1; spans without an end have all from there on. */
static bool agree(const struct pair *p)
{
	for (uint64_t n = 0; n < NUMBERS; n++)
		if (spans_have(&p->spans, n) != p->bits[n])
			return false;
	for (size_t i = 1; i < p->spans.list.len; i++)
		if (p->spans.list.data[i - 1].to >= p->spans.list.data[i].from)
			return false;
	return true;
}

/* The pieces of [FROM, TO) are all that they have of it, in order, as long as is said. */
static bool pieces_agree(const struct pair *p, uint64_t from, uint64_t to)
{
	bool bits[NUMBERS] = { false };
	struct span piece;
	uint64_t at = from, length = 0;

	while (spans_piece(&p->spans, at, to, &piece)) {
		if (piece.from < at || piece.to > to || piece.from >= piece.to)
			return false;
		for (at = piece.from; at < piece.to; at++, length++)
			bits[at] = true;
	}
	for (uint64_t n = 0; n < NUMBERS; n++)
		if (bits[n] != (p->bits[n] && n >= from && n < to))
			return false;
	return length == spans_length(&p->spans, from, to);
}

static uint64_t nearest(const struct pair *p, uint64_t at)
{
	uint64_t n = at;

	while (n && !p->bits[n])
		n--;
	if (p->bits[n])
		return n;
	while (n < NUMBERS && !p->bits[n])
		n++;
	return n < NUMBERS ? n : at;
}

static bool nearest_agree(const struct pair *p)
{
	for (uint64_t n = 0; n < NUMBERS; n++)
		if (spans_nearest(&p->spans, n) != nearest(p, n))
			return false;
	return true;
}

static void add(struct pair *p, uint64_t *random)
{
	const size_t len = p->spans.list.len;
	const uint64_t end = len ? p->spans.list.data[len - 1].to : 0;
	const uint64_t from = random_below(random, NUMBERS);
	const bool open = !random_below(random, 8);
	const uint64_t to = open ? UINT64_MAX : random_below(random, NUMBERS);

	spans_add(&p->spans, from, to);
	for (uint64_t n = from; n < to && n < NUMBERS; n++)
		p->bits[n] |= n >= end;
}

static void end(struct pair *p, uint64_t *random)
{
	const uint64_t at = random_below(random, NUMBERS);

	spans_end(&p->spans, at);
	for (uint64_t n = at; n < NUMBERS; n++)
		p->bits[n] = false;
}

static void shift(struct pair *p, uint64_t *random)
{
	const uint64_t by = random_below(random, 8);
	const size_t len = p->spans.list.len;
	const bool open = len && p->spans.list.data[len - 1].to == UINT64_MAX;

	spans_shift(&p->spans, by);
	memmove(p->bits, p->bits + by, (NUMBERS - by) * sizeof(*p->bits));
	for (uint64_t n = NUMBERS - by; n < NUMBERS; n++)
		p->bits[n] = open;
}

int main(void)
{
	void (*const calls[])(struct pair *, uint64_t *) = { add, add, add, end, shift };
	uint64_t random = RANDOM_SEED;
	unsigned wrong = 0, pieces = 0, far = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct pair p = { 0 };

		for (int call = 0; call < 12; call++) {
			calls[random_below(&random, 5)](&p, &random);
			wrong += !agree(&p);
			pieces += !pieces_agree(&p, random_below(&random, NUMBERS),
						random_below(&random, NUMBERS));
			far += !nearest_agree(&p);
		}
		spans_release(&p.spans);
	}
	is_u64(wrong, 0, "each number is in a span, or not, as its bit says");
	is_u64(pieces, 0, "pieces have what spans have, in order");
	is_u64(far, 0, "what none has is nearest to the last before it, or the first");
	return done_testing();
}
