/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans of time, or of anything else that is counted: [FROM, TO), in order, none of which
 * meets another.  An all-zero struct has none.
 */
#ifndef SPANS_H
#define SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct span {
	uint64_t from, to; /* to UINT64_MAX: it has no end yet */
};

struct spans {
	VEC(struct span) list;
};

/* Adds a span behind all others.  What others have of it is left out. */
void spans_add(struct spans *s, uint64_t from, uint64_t to);

/* Ends all at AT: those from there on are removed. */
void spans_end(struct spans *s, uint64_t at);

/* All come BY earlier; what would then be below 0 is cut. */
void spans_shift(struct spans *s, uint64_t by);

bool spans_have(const struct spans *s, uint64_t at);

/* AT, or else the last instant before it that they have; if none, the first of all. */
uint64_t spans_nearest(const struct spans *s, uint64_t at);

/*
 * The first piece of [FROM, TO) that they have, in *PIECE; false: there is none.  For the
 * next piece, FROM is where this one ends.
 */
bool spans_piece(const struct spans *s, uint64_t from, uint64_t to, struct span *piece);

/* How much of [FROM, TO) they have. */
uint64_t spans_length(const struct spans *s, uint64_t from, uint64_t to);

void spans_release(struct spans *s);

#endif
