/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who ended waits (collect -w wakers), as one number for those that look alike: of one kind
 * and, for threads of the recording, of one name and place (wait_place.h).
 */
#ifndef MODEL_WAKERS_H
#define MODEL_WAKERS_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "experiment/format.h"
#include "model/frame_map.h"
#include "model/model.h"

/* A wait whose waker nobody knows. */
#define WAKER_UNKNOWN UINT32_MAX

struct waker_like {
	enum exp_waker_kind kind;
	uint32_t name;  /* of EXP_WAKER_OF_RECORDING: the thread's last one, in names; */
	uint32_t place; /* … and a function */
};

struct wakers {
	const struct model *model;      /* borrowed, */
	const struct frame_map *frames; /* of functions: this too */
	VEC(struct waker_like) rows;
	struct strtab names;
	uint32_t **places; /* by source and node; NULL: not looked up yet */
	struct idmap ids;
};

void wakers_init(struct wakers *w, const struct model *model,
		 const struct frame_map *frames);

/* Forgets how to find more; the rows stay. */
void wakers_settle(struct wakers *w);
void wakers_release(struct wakers *w);

/* The row of the waker that a sample of SOURCE has; WAKER_UNKNOWN: nobody knows it. */
uint32_t wakers_row(struct wakers *w, size_t source, uint64_t waker);

#endif
