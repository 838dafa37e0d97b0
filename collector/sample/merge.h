/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time order without buffering: the records of all rings, merged where they lie.
 *
 * A round reads the clock and then every ring's head.  All records from before that
 * instant, less a small slack for records being written, are then in the rings; so all
 * older ones can be sorted now, and none waits longer than one round.  Within a ring the
 * kernel's order holds: an interrupt may take its time stamp earlier than the record that
 * it was written behind, so a record counts as no older than the one before it.
 */
#ifndef MERGE_H
#define MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/record.h"
#include "sample/ring.h"

/* Receives a record in order; BYTES are valid during the call, or until settled. */
typedef void merge_fn(void *ctx, const void *bytes, size_t len);

/*
 * RING, by its index, may have lost records since its last one until UNTIL, and shows no
 * record of that yet: it did not have room for one, or none came.
 */
typedef void merge_hidden_fn(void *ctx, size_t ring, uint64_t until);

/* Ends the use of all records before. */
typedef void merge_settle_fn(void *ctx);

struct merge_entry {
	uint64_t time;
	const void *bytes;
	size_t len;
	struct ring *ring;
};

struct merge {
	const struct record_format *format;
	struct ring *rings;
	size_t count;
	uint64_t *last;           /* by ring: the time of its newest merged record */
	struct merge_entry *heap; /* the oldest record of each nonempty ring */
	size_t heap_len;
	/*
	 * A loss is passed on when it began, after the record of its ring before it, and not
	 * when the ring had room again: what others did meanwhile may have been lost too.
	 */
	bool losses_first;
	merge_hidden_fn *hidden; /* called with HIDDEN_CTX for LOSSES_FIRST; NULL: not */
	void *hidden_ctx;
	/* records stay valid until SETTLE is called, with the same context: after so many, or as
	   many as a ring can spare, and at the end of a round; 0: during the call alone */
	size_t held_max;
	merge_settle_fn *settle;
	uint64_t until_ns; /* all records from before that have been passed on */
};

/* RINGS and FORMAT are borrowed. */
void merge_init(struct merge *m, const struct record_format *format, struct ring *rings,
		size_t count);
void merge_release(struct merge *m);

/* How long the writing of a record may take, at most: 1 ms. */
#define MERGE_SLACK_NS 1000000u

/*
 * One round: passes on all records older than NOW - slack; UINT64_MAX: all.  For
 * LOSSES_FIRST a full ring ends it earlier, at that ring's last record: see until_ns.
 */
void merge_round(struct merge *m, uint64_t now, merge_fn *fn, void *ctx);

#endif
