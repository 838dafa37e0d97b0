/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells a person who waits at a terminal what takes so long: after a second, on standard
 * error, in one line that is wiped out at the end.  Elsewhere it is silent.
 *
 * Whoever does the work says where it is; it need not know whether anybody looks.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool watched; /* somebody sees standard error, and nothing else is shown there */
	bool shown;   /* there is a line to be wiped out */
	uint64_t began_ns, told_ns; /* 0: nothing goes on */
};

/* Watched where standard error is a terminal that can wipe a line. */
void progress_init(struct progress *progress);

/* Of WHAT, as in "reading samples", DONE of WHOLE is done.  PROGRESS may be NULL. */
void progress_step(struct progress *progress, const char *what, uint64_t done,
		   uint64_t whole);

/* The work is done: the next step begins another. */
void progress_end(struct progress *progress);

#endif
