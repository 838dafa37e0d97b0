/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rows of an experiment are the same thread: those with the same process, tid and
 * birth, under several names or with several lives.
 */
#ifndef EXPERIMENT_THREAD_ROWS_H
#define EXPERIMENT_THREAD_ROWS_H

#include "experiment/experiment.h"

/* Numbers the threads: those from before the recording come first, by their ids. */
void thread_rows_number(struct experiment *exp);

/* A process has the last name of its first thread, if that has rows.  After that. */
void thread_rows_name_processes(struct experiment *exp);

/*
 * Lives of a thread that overlap (a crafted recording's, or of a disturbed clock) would
 * count twice: each begins where those before it ended, and one that lies in them is
 * dropped.  After thread_rows_number.
 */
void thread_rows_trim_lives(struct experiment *exp);

#endif
