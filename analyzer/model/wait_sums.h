/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits by state and place (wait_place.h), with the distribution of their durations.
 *
 * A thread idles in a place if it waits there, in one state, for 90 % of its life or
 * longer: a worker without work, or a thread that waits for all others.  It never idles
 * while it waits for a CPU, a disk or a page, or is stopped.  If all of a recording's waits
 * were such, none is: then they are the answer.
 *
 * A thread waits for a CPU wherever it happens to be: by default those waits are one row.
 */
#ifndef WAIT_SUMS_H
#define WAIT_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "model/durations.h"
#include "model/lives.h"
#include "model/wait_place.h"

/* The percentage of a life from which on a thread idles. */
#define IDLE_PERCENT 90

/* Those that would be in several rows. */
#define WAIT_ALL_PLACES      UINT32_MAX
/* All of them are: */
#define WAIT_ALL_PLACES_NAME "<For a CPU>"

/* All states but unknown, which is no wait. */
#define WAIT_STATES (((1U << EXP_STATES) - 1) & ~(1U << EXP_STATE_UNKNOWN))

struct wait_row {
	enum exp_state state;
	uint32_t place;                             /* function, or WAIT_ALL_PLACES */
	struct durations durations;                 /* without those set aside */
	uint64_t idle_ns, idle_waits, idle_threads; /* set aside */
};

struct wait_sums {
	VEC(struct wait_row) rows; /* in no order; some have nothing but idle waits */
	struct idmap ids;          /* until they are sorted */
	uint64_t life_ns;          /* of all threads, whatever the filter */
	/* of all rows */
	uint64_t sum_ns, waits;
	uint64_t idle_ns, idle_waits, idle_threads;
};

/*
 * Of the waits that the model's filter admits, in the states of STATES, a bit each.
 * ALL: each is in the row of its place; otherwise idle ones are set aside, and waits for a
 * CPU are one row.  FRAMES are functions.  Overwrites OUT, which the caller releases.
 */
void wait_sums_read(struct wait_sums *out, const struct model *model,
		    const struct frame_map *frames, unsigned states, bool all);

/* A wait of such a row. */
struct wait {
	size_t source;
	uint32_t thread; /* its last row */
	enum exp_state state;
	uint32_t place; /* as wait_row's */
	bool idle;      /* set aside */
	uint64_t ns, end_ns;
	uint64_t address; /* of a lock; 0: not known */
	uint64_t waker;   /* as exp_samples has it */
};

/* The same, then gives each wait to TAKE, in their order in each source. */
typedef void wait_taker(void *ctx, const struct wait *wait);
void wait_sums_read_each(struct wait_sums *out, const struct model *model,
			 const struct frame_map *frames, unsigned states, bool all,
			 wait_taker *take, void *ctx);

/*
 * The same, not ALL, without durations but their sums and numbers, quickly: nothing is set
 * aside, and all threads have lives.
 */
void wait_sums_of_nodes(struct wait_sums *out, const struct model *model,
			const struct frame_map *frames, unsigned states);

/* Rows with most first; those that have nothing but idle waits are last. */
void wait_sums_sort(struct wait_sums *sums);

/* Whether a thread may idle in STATE. */
bool wait_may_idle(enum exp_state state);

/* Whether a thread might idle: it is in one state for that much of its life. */
bool thread_may_idle(const struct thread_time *time);

void wait_sums_release(struct wait_sums *sums);

#endif
