/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a recording goes on in another experiment: every so often (collect --every).
 *
 *	          mark                 take
 *	time ───────┼────────────────────┼──→
 *	     at_ns: the boundary     all records from before it were in the rings,
 *	     counters are read       and are taken: the next experiment begins
 */
#ifndef TURNS_H
#define TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/evlist.h"

struct turns {
	uint64_t every_ns; /* 0: there is one experiment, and all else is unused */
	uint64_t next_ns;  /* CLOCK_MONOTONIC, when the next is due */
	/* begins an experiment at AT_NS; false: it cannot, and this one goes on */
	bool (*turn)(void *ctx, uint64_t at_ns);
	void (*look)(void *ctx); /* each round; NULL: nothing to look after */
	void *ctx;
	uint64_t at_ns; /* the boundary that was marked; 0: none */
};

bool turns_are_due(const struct turns *t, uint64_t now);

/* NOW is the boundary. */
void turns_mark(struct turns *t, struct evlist *evlist, uint64_t now);

/* Whether, at NOW, all records from before the boundary are in the rings. */
bool turns_may_take(const struct turns *t, uint64_t now);

/* For merge_round: passes on what is before the boundary. */
uint64_t turns_merge_until(const struct turns *t);

void turns_take(struct turns *t, struct evlist *evlist);

/* There is no further turn. */
void turns_end(struct turns *t, struct evlist *evlist);

/* How long a round may wait that would wait REST_MS. */
int turns_rest_ms(const struct turns *t, uint64_t now, int rest_ms);

#endif
