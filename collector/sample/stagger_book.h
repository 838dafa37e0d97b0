/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which tasks are sampled by events with random periods (stagger_plan.h), and when.
 *
 * Such events are opened for owners, tasks that start others.  The started tasks, the
 * heirs, inherit them; the owners' own samples do not count.  A period lasts as long as
 * its task, and short ones cost time.  So after a while the events are closed, in all
 * heirs too, and others opened: the next generation.  During a generation its own events
 * alone sample its heirs; at other times, and for all other tasks, the ordinary events
 * do.
 *
 * The FORK record identifies an heir.  If it was lost, the ordinary events sample the
 * task.
 */
#ifndef STAGGER_BOOK_H
#define STAGGER_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/record.h"
#include "sample/stagger_plan.h"
#include "base/vec.h"

enum {
	STAGGER_EVENTS = 8,      /* events beyond that have no random periods */
	STAGGER_GENERATIONS = 4, /* remembered, as the rings are read late */
	STAGGER_PARENTS = 32,    /* tasks that recently started others */
	STAGGER_SHORT = 20,      /* periods: a task with fewer is short-lived */
};

struct stagger_id {
	uint64_t id; /* the kernel's, of an event */
	uint32_t event;
};

struct stagger_generation {
	uint32_t number;         /* from 1; 0: none */
	uint64_t from_ns, to_ns; /* CLOCK_MONOTONIC; UINT64_MAX: still open */
	VEC(uint32_t) owners;    /* threads */
	VEC(struct stagger_id) ids;
};

struct stagger_parent {
	uint32_t tid;
	uint64_t time_ns; /* when it last started another */
};

/* All-zero: no such events. */
struct stagger_book {
	struct stagger_plan plans[STAGGER_EVENTS]; /* by event */
	struct record_format format;               /* of the samples */
	struct stagger_generation generations[STAGGER_GENERATIONS];
	uint32_t last; /* generation's number */
	struct stagger_parent parents[STAGGER_PARENTS];
	uint64_t short_lived; /* tasks that ended after a few periods */
};

void stagger_book_release(struct stagger_book *book);

/* Begins a generation, at TIME_NS once its owners and ids are filled in. */
struct stagger_generation *stagger_book_begin(struct stagger_book *book);

/* Ends the latest generation, unless it has ended. */
void stagger_book_end(struct stagger_book *book, uint64_t time_ns);

/* TID, an heir of HEIR, started a task at TIME_NS.  That task's generation, or 0. */
uint32_t stagger_book_fork(struct stagger_book *book, uint32_t tid, uint32_t heir,
			   uint64_t time_ns);

/* A task born at BORN_NS (0: unknown) ended at TIME_NS, same clock. */
void stagger_book_exit(struct stagger_book *book, uint64_t born_ns, uint64_t time_ns);

/* The generation of the event ID, and its index in EVENT; NULL: none. */
const struct stagger_generation *stagger_book_find(const struct stagger_book *book,
						   uint64_t id, uint32_t *event);

/* Whether the generation HEIR samples its heirs at TIME_NS. */
bool stagger_book_covers(const struct stagger_book *book, uint32_t heir,
			 uint64_t time_ns);

#endif
