/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/copies.h"

#include <string.h>

enum {
	CUTS_MIN = 2, /* the first few are no evidence */
	CUTS_ONE_IN = 512,
	WINDOW_FIRST = 1024, /* samples: two of them may need more than a smaller copy */
	WINDOW_MAX = 1 << 20,
};

/*
 * For stacks of each of the stack_depths.  A copy larger than the stack costs the target
 * too: it continues to the end of the mapping, 0.15 us a KiB.  The sizes leave some room,
 * since a cut is noticed only a round later.
 */
static const uint32_t sizes[STACK_DEPTHS] = { 8 << 10, 16 << 10, 24 << 10, 32 << 10 };

static void begin_window(struct copies *c)
{
	const struct stack_stats stats = stack_builder_stats(&c->rec->stack);

	c->samples = recording_stacks(c->rec);
	c->cut = stats.cut + stats.joined;
	memcpy(c->deeper, stats.deeper, sizeof(c->deeper));
}

void copies_init(struct copies *c, struct evlist *evlist, struct recording *rec)
{
	*c = (struct copies){ .evlist = evlist, .rec = rec, .window = WINDOW_FIRST };
	begin_window(c);
}

bool copies_are_largest(const struct copies *c)
{
	return c->failed ||
	       evlist_larger_copies(c->evlist) == evlist_copy_bytes(c->evlist);
}

uint64_t copies_beyond(const struct copies *c, uint64_t *samples)
{
	const struct stack_stats stats = stack_builder_stats(&c->rec->stack);

	*samples = recording_stacks(c->rec) - c->samples;
	return stats.cut + stats.joined - c->cut;
}

static void resize(struct copies *c, uint32_t bytes)
{
	c->failed = evlist_resize_copies(c->evlist, bytes, &c->rec->sources) != 0;
	begin_window(c);
}

static void grow(struct copies *c)
{
	resize(c, evlist_larger_copies(c->evlist));
	if (c->window < WINDOW_MAX)
		c->window *= 2;
}

/* The size that all but a few of the window's SAMPLES fit in. */
static uint32_t enough(const struct copies *c, uint64_t samples)
{
	const struct stack_stats stats = stack_builder_stats(&c->rec->stack);

	for (size_t i = 0; i < STACK_DEPTHS; i++)
		if ((stats.deeper[i] - c->deeper[i]) * CUTS_ONE_IN <= samples)
			return sizes[i];
	return UINT32_MAX;
}

void copies_look(struct copies *c)
{
	uint64_t samples, cut = copies_beyond(c, &samples);
	uint32_t bytes;

	if (c->failed || evlist_copies_are_fixed(c->evlist))
		return;
	if (cut >= CUTS_MIN && cut * CUTS_ONE_IN >= samples && !copies_are_largest(c)) {
		grow(c);
		return;
	}
	if (samples < c->window)
		return;
	bytes = enough(c, samples);
	if (bytes < evlist_copy_bytes(c->evlist))
		resize(c, bytes);
	else
		begin_window(c);
}
