/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events with random periods for short-lived tasks (stagger_book.h): opens them once such
 * tasks are seen, draws new periods for the tasks started next, and closes them again.
 *
 * Only clocks have them, since a second hardware counter would take a register from the
 * first, and only if samples report how long their task has run: those of inherited
 * events do from Linux 6.12 on.
 */
#ifndef STAGGER_H
#define STAGGER_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/evlist.h"
#include "recording/recording.h"
#include "base/vec.h"

struct stagger_fd {
	int fd;
	uint32_t event;
	double u; /* the draw behind its period */
};

struct stagger {
	struct evlist *evlist; /* borrowed, as is rec; NULL: no such events */
	struct recording *rec;
	VEC(struct stagger_fd) fds;
	uint64_t random;
	uint64_t short_lived; /* the book's, when the generation began */
	uint64_t opened_ns, drawn_ns, lasts_ns;
};

/* EVLIST is open; REC learns of the samples. */
void stagger_init(struct stagger *s, struct evlist *evlist, struct recording *rec);

/* Whether such events are possible here. */
bool stagger_is_possible(const struct stagger *s);

/* Whether short-lived tasks are being sampled. */
bool stagger_is_on(const struct stagger *s);

/* Call each round, before the rings are read. */
void stagger_round(struct stagger *s, uint64_t now);

/* Ends sampling by these events. */
void stagger_stop(struct stagger *s);

void stagger_release(struct stagger *s);

#endif
