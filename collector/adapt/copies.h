/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many bytes of each stack to copy, adjusted while the target runs.
 *
 * Copies start as large as the ring allows: the rings are still empty, and a short
 * program has no second chance.  If a window of samples shows small stacks, the copies
 * shrink, as they cost ring space and time.  If too many stacks are cut off, the copies
 * grow again, and the next window is twice as long: a program whose stacks vary must not
 * keep us busy.
 */
#ifndef COPIES_H
#define COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/evlist.h"
#include "recording/recording.h"

struct copies {
	struct evlist *evlist;
	struct recording *rec;
	/* the window's length, and the counts when it began */
	uint64_t window, samples, cut, deeper[STACK_DEPTHS];
	bool failed; /* events could not be replaced: no more tries */
};

/* Both are borrowed. */
void copies_init(struct copies *copies, struct evlist *evlist, struct recording *rec);

/* After a round: reopens the events if larger or smaller copies are better. */
void copies_look(struct copies *copies);

/* Whether copies have their largest size. */
bool copies_are_largest(const struct copies *copies);

/* How many stacks of the window's SAMPLES did not fit into their copies. */
uint64_t copies_beyond(const struct copies *copies, uint64_t *samples);

#endif
