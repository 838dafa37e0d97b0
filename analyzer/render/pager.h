/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program through which long answers reach a terminal: RINGPROF_PAGER, else PAGER, else
 * less, which (unless LESS is set) exits at once if the answer fits on the screen.
 * Empty, or cat: none.
 */
#ifndef PAGER_H
#define PAGER_H

#include <stdio.h>
#include <sys/types.h>

/* All-zero: not running. */
struct pager {
	FILE *file; /* its input; NULL: not running */
	pid_t pid;
};

/* Leaves PAGER unchanged if there should be none, or it cannot be started. */
void pager_open(struct pager *pager);

/* Waits until the user has seen enough. */
void pager_close(struct pager *pager);

#endif
