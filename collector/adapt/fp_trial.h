/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether the kernel also follows frame pointers: if a runtime switches to a
 * stack of its own (Go's), only they lead to the callers (go_chain.h).  A known Go
 * program has them from the start.  Others begin when stacks end at such a switch, and
 * continue if that completed stacks.
 */
#ifndef FP_TRIAL_H
#define FP_TRIAL_H

#include <stdbool.h>

#include "sample/evlist.h"
#include "recording/recording.h"

struct fp_trial {
	struct evlist *evlist;
	struct recording *rec;
	enum { FP_WAITS, FP_RUNS, FP_DONE } state;
};

/* Both are borrowed. */
void fp_trial_init(struct fp_trial *t, struct evlist *evlist, struct recording *rec);

/* After a round: begins, or decides. */
void fp_trial_look(struct fp_trial *t);

/* Whether to begin: ENDS of SAMPLES stacks ended at a switch. */
bool fp_trial_is_wanted(uint64_t ends, uint64_t samples);

/* Whether to continue: JOINED of TRIED stacks were completed. */
bool fp_trial_is_worth(uint64_t joined, uint64_t tried);

#endif
