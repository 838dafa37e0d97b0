/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the counts of each process name with the weights of its samples.
 *
 * A task's event starts a fresh period in every process; the count after a process's last
 * sample, or of one without samples, is unsampled.  The difference is written as one row
 * <Unsampled> for each name and event.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdint.h>

#include "base/idmap.h"
#include "experiment/intern.h"
#include "process/tasks.h"
#include "base/vec.h"

/*
 * The most names of processes that ended without a sample.  Counts of further ones go to
 * the target's rest, see unsampled.h: a target can fork under ever new names.
 */
enum { TALLY_NAMES_MAX = 1 << 14 };

struct tally_row {
	uint32_t name, event;
	uint32_t process, tid; /* index of a held process of that name */
	uint32_t thread;       /* its row in the experiment, + 1; 0: none */
	uint64_t counted, sampled;
};

struct tally {
	struct idmap ids; /* (name, event) → row */
	VEC(struct tally_row) rows;
	uint32_t last;      /* last row used */
	uint32_t unsampled; /* rows that began with a count */
	uint64_t left_out;  /* counts of names beyond TALLY_NAMES_MAX */
};

void tally_release(struct tally *t);

/* Another experiment begins: forgets all. */
void tally_turn(struct tally *t, struct tasks *tasks);

/*
 * Adds a sample of EVENT with WEIGHT, or the final COUNT of a task: the thread TID of a
 * process (index in TASKS).
 */
void tally_sample(struct tally *t, struct tasks *tasks, uint32_t process, uint32_t tid,
		  uint32_t event, uint64_t weight);
void tally_count(struct tally *t, struct tasks *tasks, uint32_t process, uint32_t tid,
		 uint32_t event, uint64_t count);

/*
 * EVENT counted REST beyond the samples, for unknown processes: shares it among the names
 * in proportion to their samples.
 */
void tally_spread(struct tally *t, uint32_t event, uint64_t rest);

/* The count of EVENT in all ended tasks. */
uint64_t tally_counted(const struct tally *t, uint32_t event);

/*
 * Writes the unsampled counts at TIME_NS; adds them up by event in UNSAMPLED, which has
 * room for all events.  Event E may have at most MOST[E]: if it counted more, each name
 * gets a share of that.
 */
void tally_write(const struct tally *t, struct tasks *tasks, struct intern *in,
		 uint64_t time_ns, const uint64_t *most, uint64_t *unsampled);

#endif
