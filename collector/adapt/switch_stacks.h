/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect -w: how many of the switches of a CPU, and of its wakings, have their stack recorded:
 * all, or one in N if they come so fast that their stacks would slow the target down.
 */
#ifndef SWITCH_STACKS_H
#define SWITCH_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "recording/recording.h"
#include "sample/evlist.h"

/*
 * A stack costs the thread that switches 2 to 7 us, a sample without one some 1 us: so many a
 * second, on each CPU, are at most some 2 % of its time.  What the last two seconds did not use
 * is left for bursts.
 */
enum { SWITCH_STACKS_RATE = 3000, SWITCH_BARE_RATE = 20000 };
enum { SWITCH_STACKS_SAVED = 2 * SWITCH_STACKS_RATE };

/* Of one CPU. */
struct switch_stacks_cpu {
	uint64_t seen; /* until the last look: switches; of wakings those with a sample */
	uint64_t one_in; /* N since then */
	uint64_t sent;   /* what the kernel has for N; 0: none yet */
	size_t source;   /* to which event: evlist_source */
	double left;     /* samples that may still be taken */
	double rate;     /* … and so many more each second */
};

struct switch_stacks {
	struct evlist *evlist; /* borrowed; NULL: no event has stacks of switches */
	const struct waiting *waiting;
	const struct wakers *wakers; /* NULL: wakings are not recorded */
	uint64_t looked_ns;
	VEC(struct switch_stacks_cpu) cpus; /* by CPU of the evlist */
	VEC(struct switch_stacks_cpu) wakings[WAKING_KINDS];
};

/* All are sampled until there are more than RATE a second. */
struct switch_stacks_cpu switch_stacks_begin(double rate);

void switch_stacks_init(struct switch_stacks *s, struct evlist *evlist,
			const struct recording *rec);
void switch_stacks_release(struct switch_stacks *s);

/* Call each round. */
void switch_stacks_look(struct switch_stacks *s, uint64_t now);

/* There were COUNT switches in the last NS nanoseconds: N from now on. */
uint64_t switch_stacks_next(struct switch_stacks_cpu *c, uint64_t count, uint64_t ns);

/*
 * Whether the kernel needs the new N: it differs by a quarter or more, or the event is not
 * the one that got the last.  That costs a call for each thread, and the next switch is
 * sampled whatever N is.  Takes it for sent.
 */
bool switch_stacks_is_due(struct switch_stacks_cpu *c, size_t source);

#endif
