/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/fp_trial.h"

enum {
	ENDS_MIN = 16,     /* stacks that ended at such a place, */
	ENDS_ONE_IN = 100, /* and of how many */
	TRIED = 1024,      /* samples; */
	TRIED_MIN = 64,    /* fewer are no evidence */
	BETTER_ONE_IN = 50,
};

void fp_trial_init(struct fp_trial *t, struct evlist *evlist, struct recording *rec)
{
	*t = (struct fp_trial){ .evlist = evlist, .rec = rec };
	if (!evlist_may_ask_chains(evlist))
		t->state = FP_DONE;
}

static bool is_wanted(const struct recording *rec)
{
	uint64_t ends = unwinder_stats(rec->stack.unwinder)->elsewhere;

	return ends >= ENDS_MIN && ends * ENDS_ONE_IN >= rec->samples;
}

/* An error leaves the events unchanged: the test does not begin, or goes on. */
static void switch_to(struct fp_trial *t, bool chains)
{
	int error = evlist_ask_chains(t->evlist, chains, &t->rec->sources);

	t->state = chains && !error ? FP_RUNS : FP_DONE;
}

void fp_trial_look(struct fp_trial *t)
{
	if (t->state == FP_WAITS && is_wanted(t->rec))
		switch_to(t, true);
	else if (t->state == FP_RUNS && t->rec->stack.tried.samples >= TRIED)
		switch_to(t, false);
}

bool fp_trial_is_enough(const struct stack_builder *b)
{
	return b->tried.samples >= TRIED_MIN;
}

bool fp_trial_is_better(const struct stack_builder *b)
{
	return fp_trial_is_enough(b) && b->tried.by_fp > b->tried.by_tables &&
	       (b->tried.by_fp - b->tried.by_tables) * BETTER_ONE_IN >= b->tried.samples;
}
