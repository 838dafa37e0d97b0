/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests whether frame pointers lead further than the tables where a runtime switches to a
 * stack of its own, which the copies lack (Go's).  That depends on the program: its own
 * code keeps frame pointers, but some of its assembly uses the register otherwise.  For
 * some samples of this run the kernel follows the frame pointers too, and the stacks that
 * reach the root are counted for both methods.
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

/* After a round: begins or ends the test. */
void fp_trial_look(struct fp_trial *t);

/* Whether the test is long enough, and frame pointers reached clearly more roots. */
bool fp_trial_is_enough(const struct stack_builder *b);
bool fp_trial_is_better(const struct stack_builder *b);

#endif
