/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sample points: what the kernel accounted to the target until then, and what its counters
 * have.  The differences of two are what happened in between.
 */
#ifndef POINTS_H
#define POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "control/usage.h"
#include "experiment/format.h"
#include "recording/recording.h"
#include "sample/evlist.h"

/* What more are asked for is left out: each costs some 100 us, and 100 bytes. */
enum { POINTS_MAX = 1 << 20 };

struct points_setup {
	const char *root;  /* precedes /proc */
	bool wanted;       /* some may be asked for */
	uint64_t every_ns; /* 0: none by time */
	bool everyone; /* the whole machine is recorded: no accounting is the target's */
	struct usage first; /* when the recording began, of points_begin */
};

struct points {
	struct points_setup setup;
	struct recording *rec; /* borrowed, as is the next */
	const struct evlist *evlist;
	uint64_t count;
	uint64_t last_ns; /* of the newest, from the recording's start */
	uint64_t due_ns;  /* of the next one by time, CLOCK_MONOTONIC */
	bool ended;
};

/*
 * The recording begins, a program that it starts does not run yet.  That is a point as
 * soon as there is another.
 */
void points_begin(struct points_setup *setup, const struct tasks *tasks);

void points_init(struct points *p, const struct points_setup *setup,
		 struct recording *rec, const struct evlist *evlist);

/* A point at TIME_NS of CLOCK_MONOTONIC; NAME may be NULL. */
void points_add(struct points *p, enum exp_point_kind kind, uint64_t time_ns,
		const char *name);

/*
 * The recording ends: one more point, if there is any.  LAST is what was accounted to the
 * target when it ended; NULL: it has not, or that is not known.  Only the first end counts.
 */
void points_end(struct points *p, uint64_t time_ns, const struct usage *last);

#endif
