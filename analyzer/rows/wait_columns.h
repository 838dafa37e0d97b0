/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of waits share: times and numbers of a row, its place, and their notes. */
#ifndef WAIT_COLUMNS_H
#define WAIT_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/wait_sums.h"
#include "model/wakers.h"
#include "session/session.h"
#include "tables/table.h"

/* The sum, its share of LIFE_NS, the number, the mean, and the longest: 0 is not known. */
void wait_sum_columns(struct table *table);
void wait_sum_cells(struct table *table, uint64_t sum_ns, uint64_t count,
		    uint64_t longest_ns, uint64_t life_ns);

/* The same with percentiles. */
void wait_number_columns(struct table *table);
void wait_number_cells(struct table *table, const struct durations *d, uint64_t life_ns);

/* Of a row that is no place: percentiles are not known. */
void wait_whole_cells(struct table *table, uint64_t sum_ns, uint64_t count,
		      uint64_t life_ns);

/* The function, its object and its id. */
void wait_place_columns(struct table *table);
void wait_place_cells(struct session *s, uint32_t place, struct table *table);
void wait_no_place_cells(const char *name, struct table *table);

/*
 * Who ended waits: the thread's name or what else did, the function, and for machines the
 * kind, the object and the function's id.  SHOWN: for people, too.
 */
void waker_columns(struct table *table, bool shown);
void waker_cells(struct session *s, const struct wakers *wakers, uint32_t waker,
		 struct table *table);

/* Notes where most idle ones waited, which COMMAND all shows, and the filter. */
void wait_notes(struct session *s, const struct wait_sums *sums, const char *command,
		struct table *table);

#endif
