/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who ended waits (collect -w wakers): writes each waker once, a thread with its stack, a
 * timer, …; waits refer to it.
 */
#ifndef WAKERS_H
#define WAKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "experiment/format.h"
#include "experiment/write.h"
#include "sample/record.h"
#include "sample/waking.h"

/* No waker is known. */
#define WAKERS_UNKNOWN 0

#define WAKERS_NO_EVENT UINT32_MAX

struct wakers {
	const struct waking *waking; /* borrowed */
	uint32_t events
		[WAKING_KINDS];    /* whose samples are wakings; WAKERS_NO_EVENT: none */
	bool keeps;                /* they are samples of the user's, too */
	struct exp_writer *writer; /* borrowed */
	struct idmap ids;
	VEC(uint64_t) samples; /* by CPU and kind */
};

void wakers_init(struct wakers *w, const struct waking *waking,
		 const uint32_t events[WAKING_KINDS], struct exp_writer *writer);
void wakers_release(struct wakers *w);

/* Whether the samples of EVENT are wakings; then KIND says which. */
static inline bool wakers_want(const struct wakers *w, uint32_t event,
			       enum waking_kind *kind)
{
	unsigned i = 0;

	while (i < WAKING_KINDS && w->events[i] != event)
		i++;
	*kind = (enum waking_kind)i;
	return i < WAKING_KINDS && event != WAKERS_NO_EVENT;
}

/* Counts R, a waking.  False: it cannot be read. */
bool wakers_read(struct wakers *w, const struct record *r, enum waking_kind kind,
		 struct waking_said *said);

/* How many samples of that KIND CPU had so far. */
uint64_t wakers_samples(const struct wakers *w, uint32_t cpu, enum waking_kind kind);

/* The id of that waker; THREAD and NODE are 0 but for EXP_WAKER_OF_RECORDING. */
uint32_t wakers_id(struct wakers *w, enum exp_waker_kind kind, uint32_t thread,
		   uint32_t node);

#endif
