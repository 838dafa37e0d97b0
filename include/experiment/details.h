/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Additional values that only some samples carry.  There are few rows or none; they are
 * read during a walk over samples: by ascending number, a block at a time.
 */
#ifndef EXP_DETAILS_H
#define EXP_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/read.h"

/* By column, EXP_DETAIL_*; 0: not recorded. */
struct exp_detail {
	uint64_t value[EXP_DETAIL_COLUMNS];
};

/* The position of reading; zero it to start, release it at the end. */
struct exp_details {
	struct exp_walk walk;
	size_t block, row; /* block: the next to load */
};

/*
 * The details of sample NUMBER, which must be above the last one requested; all zero if
 * it has none.  Damaged blocks are skipped; the string id of a cgroup is in range.
 */
void exp_details_of(struct exp_details *d, struct experiment *exp, uint64_t number,
		    struct exp_detail *out);

void exp_details_release(struct exp_details *d);

#endif
