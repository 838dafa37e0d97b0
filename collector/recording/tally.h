/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The weights of the samples of each process name.  What an event counted beyond its
 * samples is of unknown processes: each name gets a share of it, by its samples, in one
 * row <Unsampled>.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "experiment/intern.h"

struct tally_row {
	uint32_t name, event;
	uint32_t thread; /* of the latest sample: its row in the experiment */
	uint64_t sampled;
};

struct tally {
	struct idmap ids; /* (name, event) → row */
	VEC(struct tally_row) rows;
	uint32_t last; /* last row used */
};

void tally_release(struct tally *t);

/* Another experiment begins: forgets all. */
void tally_turn(struct tally *t);

/* Adds a sample's WEIGHT.  ROW: its name, event and thread. */
void tally_sample(struct tally *t, const struct tally_row *row, uint64_t weight);

/*
 * EVENT counted REST beyond its samples: writes that as rows of <Unsampled> at TIME_NS.
 * Without samples of EVENT nothing is written.
 */
void tally_spread(const struct tally *t, struct intern *in, uint64_t time_ns,
		  uint32_t event, uint64_t rest);

/* Writes one row of <Unsampled>. */
void tally_write_unsampled(struct intern *in, uint64_t time_ns, uint32_t thread,
			   uint32_t event, uint64_t weight);

#endif
