/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/fp_trial.h"

enum {
	ENDS_MIN = 4,      /* stacks that ended at such a place, */
	ENDS_ONE_IN = 100, /* and of how many */
	TRIED = 1024,      /* samples */
	JOINED_ONE_IN = 100,
};

void fp_trial_init(struct fp_trial *t, struct evlist *evlist, struct recording *rec)
{
	*t = (struct fp_trial){ .evlist = evlist, .rec = rec };
	if (evlist->setup.chains || !evlist_may_ask_chains(evlist))
		t->state = FP_DONE;
}

bool fp_trial_is_wanted(uint64_t ends, uint64_t samples)
{
	return ends >= ENDS_MIN && ends * ENDS_ONE_IN >= samples;
}

bool fp_trial_is_worth(uint64_t joined, uint64_t tried)
{
	return joined * JOINED_ONE_IN >= tried;
}

/* An error leaves the events unchanged: the trial does not begin, or does not end. */
static void switch_to(struct fp_trial *t, bool chains)
{
	int error = evlist_ask_chains(t->evlist, chains, &t->rec->sources);

	t->state = chains && !error ? FP_RUNS : FP_DONE;
}

void fp_trial_look(struct fp_trial *t)
{
	const struct stack_stats stats = stack_builder_stats(&t->rec->stack);

	if (t->state == FP_WAITS && fp_trial_is_wanted(stats.elsewhere, t->rec->samples))
		switch_to(t, true);
	else if (t->state == FP_RUNS && stats.chained >= TRIED) {
		if (!fp_trial_is_worth(stats.completed, stats.chained))
			switch_to(t, false);
		t->state = FP_DONE;
	}
}
