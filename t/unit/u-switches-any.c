/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls for switches in any order, as a hostile recording has them: threads that were never
 * born come in, ended ones leave, and numbers of CPUs are impossible.  Waits of a thread
 * still lie in its lives, and neither overlap.
 */
#include "wait/switches.h"

#include <string.h>

#include "random.h"
#include "tap.h"

enum { THREADS = 5, CPUS = 3, CALLS = 200, RUNS = 2000 };

#define MS 1000000

struct world {
	struct switches s;
	uint64_t random, now;
	uint64_t first_ns[THREADS]; /* beginning of the first wait since the last life */
	uint64_t last_ns[THREADS];  /* end of the last wait, or life */
	uint64_t ended_ns[THREADS]; /* the last life */
	bool waited[THREADS];       /* since then */
	unsigned wrong, lives, waits;
};

static void see_wait(void *ctx, const struct switches_wait *wait)
{
	struct world *w = ctx;
	uint32_t tid = wait->tid;

	w->wrong += wait->to_ns <= wait->from_ns || wait->from_ns < w->last_ns[tid];
	if (!w->waited[tid])
		w->first_ns[tid] = wait->from_ns;
	w->waited[tid] = true;
	w->last_ns[tid] = wait->to_ns;
	w->waits++;
}

/* Its waits are known before. */
static void see_life(void *ctx, const struct switches_life *life)
{
	struct world *w = ctx;
	uint32_t tid = life->tid;

	w->wrong += life->to_ns <= life->from_ns || life->from_ns < w->ended_ns[tid];
	w->wrong += w->waited[tid] &&
		    (w->first_ns[tid] < life->from_ns || w->last_ns[tid] > life->to_ns);
	w->waited[tid] = false;
	w->last_ns[tid] = w->ended_ns[tid] = life->to_ns;
	w->lives++;
}

static enum switches_fate draw_fate(void *ctx, uint32_t tid)
{
	struct world *w = ctx;

	(void)tid;
	return (enum switches_fate)random_below(&w->random, SWITCHES_LEFT + 1);
}

static void lose(struct world *w, uint32_t cpu)
{
	switches_seen(&w->s, cpu, w->now);
	if (random_below(&w->random, 2))
		switches_lost(&w->s, cpu, w->now + random_below(&w->random, 4 * MS));
}

static void call(struct world *w, uint32_t node)
{
	uint64_t *random = &w->random, now = w->now;
	uint32_t tid = random_below(random, THREADS);
	uint32_t cpu = random_below(random, 30) ? random_below(random, CPUS) : UINT32_MAX;
	struct switches_reason reason = {
		.node = node,
		.state = (enum exp_state)random_below(random, EXP_STATES),
		.address = node,
	};

	switch (random_below(random, 13)) {
	case 0:
		switches_born(&w->s, tid, now);
		break;
	case 1:
		switches_reused(&w->s, tid, now);
		break;
	case 2:
		switches_began(&w->s, tid, now, cpu);
		break;
	case 3:
		switches_found(&w->s, tid, now);
		break;
	case 4:
		switches_stack(&w->s, tid, &reason);
		break;
	case 5:
	case 6:
		switches_out(&w->s, tid, now, cpu, random_below(random, 2));
		break;
	case 7:
	case 8:
		switches_in(&w->s, tid, now, cpu);
		break;
	case 9:
		switches_ran(&w->s, tid, now, cpu);
		break;
	case 10:
		switches_end(&w->s, tid, now);
		break;
	case 11:
		switches_slept(&w->s, tid, now, now + MS, &reason);
		break;
	default:
		lose(w, cpu);
	}
	if (!random_below(random, 40))
		switches_vanished(&w->s, tid);
}

static void run(struct world *w, uint64_t seed)
{
	const struct switches_sink sink = { w, see_wait, see_life };

	w->random = seed;
	w->now = 0;
	memset(w->last_ns, 0, sizeof(w->last_ns));
	memset(w->ended_ns, 0, sizeof(w->ended_ns));
	switches_init(&w->s, &sink);
	for (uint32_t i = 0; i < CALLS; i++) {
		w->now += random_below(&w->random,
				       random_below(&w->random, 4) ? 3 * MS : 100);
		call(w, i);
	}
	switches_check(&w->s, draw_fate, w);
	switches_finish(&w->s, w->now);
	for (uint32_t tid = 0; tid < THREADS; tid++)
		w->wrong += w->waited[tid];
	switches_release(&w->s);
}

int main(void)
{
	struct world w = { 0 };

	for (uint64_t seed = 1; seed <= RUNS; seed++)
		run(&w, seed * RANDOM_SEED);
	is_u64(w.wrong, 0, "waits lie in lives, and neither overlap");
	ok(w.lives > RUNS && w.waits > RUNS, "%u lives, %u waits", w.lives, w.waits);
	return done_testing();
}
