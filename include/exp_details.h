/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What some samples tell beside what all have.  Rows are few or none, and read as samples
 * are walked: in the order of their numbers, a block at a time.
 */
#ifndef EXP_DETAILS_H
#define EXP_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exp_read.h"

/* By column, EXP_DETAIL_*: 0 is not told. */
struct exp_detail {
	uint64_t value[EXP_DETAIL_COLUMNS];
};

/* How far they were read; zero it to start, release it at the end. */
struct exp_details {
	struct exp_walk walk;
	size_t block, row; /* block: the next to load */
};

/*
 * Of the sample of that NUMBER, which is above the last one asked for; all zero where it
 * tells nothing.  What is damaged is stepped over; a cgroup's id of string is in range.
 */
void exp_details_of(struct exp_details *d, struct experiment *exp, uint64_t number,
		    struct exp_detail *out);

void exp_details_release(struct exp_details *d);

#endif
