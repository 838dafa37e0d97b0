/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program through which long answers reach a terminal: what RINGPROF_PAGER says, else
 * PAGER, else less, which is told (unless LESS is set) to leave at once what fits on the
 * screen.  Empty, or cat: none.
 */
#ifndef PAGER_H
#define PAGER_H

#include <stdio.h>
#include <sys/types.h>

/* All-zero: not running. */
struct pager {
	FILE *file; /* what it is to show; NULL: not running */
	pid_t pid;
};

/* Leaves PAGER as it is where there is to be none, or it cannot be started. */
void pager_open(struct pager *pager);

/* Waits until the user has seen enough. */
void pager_close(struct pager *pager);

#endif
