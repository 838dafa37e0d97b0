/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of times in states of threads, in nanoseconds, which text shows as seconds. */
#ifndef STATE_COLUMNS_H
#define STATE_COLUMNS_H

#include "model/lives.h"
#include "tables/table.h"

/* "User Lock": a state's heading. */
const char *state_title(enum exp_state state);

/* Its sign on a line of time; those of the same wait in the kernel's and Studio's words. */
char state_letter(enum exp_state state);

/* "lock" */
const char *state_name(enum exp_state state);

/* A column of nanoseconds; the cells are reals. */
void ns_column(struct table *table, const char *key, const char *title);

/*
 * Life, CPU and each state, those with nothing in ALL only for machines.
 */
void state_columns(struct table *table, const struct thread_time *all);
void state_cells(struct table *table, const struct thread_time *time);

/* Notes that the rows are the whole lives of the threads the filter admits. */
void state_note_filter(struct table *table, const struct model *model);

#endif
