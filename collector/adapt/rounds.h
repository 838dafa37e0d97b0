/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a round may wait for records, judged by the last rounds.
 *
 * A ring wakes its reader when it is half full.  If little happens, rounds are short only
 * if lateness loses data: holes of stacks, and the stack beyond copies, are read from the
 * live process.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "adapt/copies.h"
#include "adapt/stagger.h"
#include "recording/recording.h"

enum { ROUNDS_MS = 100 }; /* the longest wait of a record, if little happens */

struct rounds {
	struct recording *rec;   /* borrowed */
	uint64_t began_ns;       /* the first experiment of rec */
	int most_ms;             /* if nothing else is known */
	bool growing;            /* small rings are replaced, some a round */
	uint64_t holes, hole_ns; /* in stacks so far, and when the last was found */
	uint64_t news, news_ns;  /* the same for the stack beyond copies */
};

void rounds_init(struct rounds *r, struct recording *rec);

/* From now on some ring cannot wake its reader. */
void rounds_shorten(struct rounds *r);

/*
 * After a round: decides whether the stack beyond the largest copies is worth short
 * rounds.  STOPPED: the events are, and nothing changes any more.
 */
void rounds_look(struct rounds *r, const struct copies *copies, bool stopped);

/* How long the next round may wait, in milliseconds. */
int rounds_next_ms(struct rounds *r, const struct stagger *stagger, uint64_t now);

#endif
