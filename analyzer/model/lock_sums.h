/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for locks by the lock's address, in each process of its own, and by place
 * (wait_place.h).  Which are set aside as idle is as in wait_sums.h: the sums of all locks
 * are those of the state there.
 */
#ifndef LOCK_SUMS_H
#define LOCK_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "model/durations.h"
#include "model/wait_sums.h"
#include "model/wakers.h"

/* Rows of locks and places, the first that there are; further waits are by place alone. */
enum { LOCK_ROWS_MAX = 1 << 17 };

#define LOCK_NO_PROCESS UINT32_MAX

struct lock_row {
	uint64_t address; /* 0: not known, or beyond LOCK_ROWS_MAX */
	uint32_t source;
	uint32_t process;  /* of the source; LOCK_NO_PROCESS: beyond LOCK_ROWS_MAX */
	uint32_t place;    /* function */
	uint32_t threads;  /* that waited */
	uint64_t known_ns; /* with a known address */
	uint32_t waker; /* who ended them for most of the time, a row; or WAKER_UNKNOWN */
	uint64_t waker_ns; /* … those that it ended */
	struct durations durations;
};

/* Of a row's waits, those that one waker ended. */
struct lock_end {
	uint32_t row, waker;
	uint64_t ns;
};

struct lock_sums {
	struct wait_sums waits; /* of all, by place */
	VEC(struct lock_row) rows;
	struct wakers wakers;
	uint64_t known_ns, idle_known_ns; /* of all, and of those set aside */
	uint32_t threads;                 /* that waited for any */
	bool any_beyond;                  /* of LOCK_ROWS_MAX */
	/* until they are sorted */
	const struct model *model;
	struct idmap places;  /* place, process: their number */
	struct idmap ids;     /* address, number of place and process: row */
	struct idmap stays;   /* thread, row */
	struct idmap end_ids; /* row, waker */
	VEC(struct lock_end) ends;
};

/* ALL and FRAMES as for wait_sums_read.  Overwrites OUT, which the caller releases. */
void lock_sums_read(struct lock_sums *out, const struct model *model,
		    const struct frame_map *frames, bool all);

/* Rows with most first. */
void lock_sums_sort(struct lock_sums *sums);

void lock_sums_release(struct lock_sums *sums);

#endif
