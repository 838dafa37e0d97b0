/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the lives of threads divide: time with a CPU, and time in each state (state.h).
 * All of it is exact.  Only recordings of the states of threads have it.
 */
#ifndef LIVES_H
#define LIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/state.h"
#include "model/model.h"

/* LIFE_NS is the sum of the others. */
struct thread_time {
	uint64_t life_ns, cpu_ns;
	uint64_t state_ns[EXP_STATES];
};

/* Whether a source has lives. */
bool source_has_lives(const struct source *source);

/* Whether all sources have: otherwise ERR says what to record. */
bool model_has_lives(const struct model *model, struct strbuf *err);

/*
 * By event, the state of its rows; EXP_STATES: they are no waits.  The caller frees it.
 */
enum exp_state *source_states(const struct source *source);

/* The sum of all lives. */
uint64_t model_life_ns(const struct model *model);

/*
 * By thread, whose last row has the sum for all of its names.  Whole lives, whatever the
 * filter.  The caller frees it.
 */
struct thread_time *thread_times(const struct source *source);

/*
 * By thread, in its last row: whether it has a life.  Waits of others are no part of the
 * time of threads.  The caller frees it.
 */
bool *threads_alive(const struct experiment *exp);

/* By thread, in its last row: whether the filter admits any of its samples. */
bool *threads_admitted(const struct model *model, const struct source *source);

/* Its CPU time: what is in no state. */
void thread_time_find_cpu(struct thread_time *time);

void thread_time_add(struct thread_time *to, const struct thread_time *time);

#endif
