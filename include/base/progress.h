/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows a user who waits at a terminal what takes so long: after a second, on standard
 * error, in one line that is erased at the end.  Elsewhere it is silent.
 *
 * The code that does the work reports its progress, whether or not anybody watches.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool watched; /* standard error is a terminal, and nothing else is shown there */
	bool shown;   /* there is a line to erase */
	uint64_t began_ns, told_ns; /* 0: no work in progress */
};

/* Shows progress if standard error is a terminal that can erase a line. */
void progress_init(struct progress *progress);

/* Of WHAT, as in "reading samples", DONE of WHOLE is done.  PROGRESS may be NULL. */
void progress_step(struct progress *progress, const char *what, uint64_t done,
		   uint64_t whole);

/* The work is done; the next step begins another. */
void progress_end(struct progress *progress);

#endif
