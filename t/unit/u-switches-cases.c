/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases of switches.c that hardly occur by chance: threads that leave unseen, CPUs that are
 * not known, many losses, looks at one that sleeps.
 */
#include "wait/switches.h"

#include "experiment/format.h"
#include "tap.h"

#define MS UINT64_C(1000000)

struct sums {
	uint64_t of[EXP_STATES], lived;
	uint64_t of_node[8], of_address[8];
	unsigned lives, went_on;
};

static void sum_wait(void *ctx, const struct switches_wait *wait)
{
	struct sums *sums = ctx;

	sums->of[wait->state] += wait->to_ns - wait->from_ns;
	if (wait->node < 8)
		sums->of_node[wait->node] += wait->to_ns - wait->from_ns;
	if (wait->address < 8)
		sums->of_address[wait->address] += wait->to_ns - wait->from_ns;
}

static void sum_life(void *ctx, const struct switches_life *life)
{
	struct sums *sums = ctx;

	sums->lived += life->to_ns - life->from_ns;
	sums->lives++;
	sums->went_on += life->flags & EXP_LIFE_WENT_ON ? 1 : 0;
}

static void sum_begin(struct switches *s, struct sums *sums)
{
	*sums = (struct sums){ 0 };
	switches_init(s, &(struct switches_sink){ sums, sum_wait, sum_life });
}

/* Thread 1 leaves the recorded group while it runs, and thread 2 gets its CPU. */
static void test_displaced(void)
{
	struct switches s;
	struct sums sums;

	sum_begin(&s, &sums);
	switches_born(&s, 1, 0);
	switches_in(&s, 1, 10 * MS, 0);
	switches_ran(&s, 1, 30 * MS, 0);
	switches_began(&s, 2, 50 * MS, 0);
	switches_finish(&s, 100 * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN], 70 * MS,
	       "another got its CPU: unknown from its last sample");
	switches_release(&s);

	sum_begin(&s, &sums);
	switches_born(&s, 1, 0);
	switches_in(&s, 1, 10 * MS, 0);
	switches_began(&s, 2, 50 * MS, 0);
	switches_out(&s, 1, 80 * MS, 1, false);
	switches_end(&s, 1, 90 * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN], (80 - 10 + 90 - 80) * MS,
	       "it shows up again: unknown until then");
	switches_finish(&s, 100 * MS);
	switches_release(&s);

	sum_begin(&s, &sums);
	switches_born(&s, 1, 0);
	switches_in(&s, 1, 10 * MS, 0);
	switches_began(&s, 2, 50 * MS, 1);
	switches_finish(&s, 100 * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN], 0, "another CPU is another matter");
	switches_release(&s);
}

static enum switches_fate fate_of(void *ctx, uint32_t tid)
{
	(void)ctx;
	return tid % 2 == 0 ? SWITCHES_LIVES : SWITCHES_ENDED;
}

/* Odd threads do not live any more when the recording stops. */
static void test_gone(void)
{
	struct switches s;
	struct sums sums;

	sum_begin(&s, &sums);
	for (uint32_t tid = 1; tid <= 4; tid++) {
		switches_born(&s, tid, 0);
		switches_in(&s, tid, 10 * MS, tid);
		switches_ran(&s, tid, 30 * MS, tid);
	}
	switches_out(&s, 3, 60 * MS, 3, false);
	switches_out(&s, 4, 60 * MS, 4, false);
	switches_found(&s, 5, 0);
	switches_found(&s, 6, 0);
	switches_check(&s, fate_of, NULL);
	switches_finish(&s, 100 * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN], 70 * MS + 40 * MS,
	       "it ended unseen: unknown from its last record, if it ran or waited");
	is_u64(sums.of[EXP_STATE_OTHER], 40 * MS + 100 * MS, "those that live wait on");
	is_u64(sums.lives, 5, "one without a record never lived here");
	switches_release(&s);
}

static enum switches_fate has_left(void *ctx, uint32_t tid)
{
	(void)ctx;
	(void)tid;
	return SWITCHES_LEFT;
}

/* They left the recorded group at a time that is not known. */
static void test_left(void)
{
	struct switches s;
	struct sums sums;

	sum_begin(&s, &sums);
	switches_born(&s, 1, 0);
	switches_in(&s, 1, 10 * MS, 1);
	switches_ran(&s, 1, 30 * MS, 1);
	switches_born(&s, 2, 40 * MS);
	switches_found(&s, 3, 0);
	switches_check(&s, has_left, NULL);
	switches_finish(&s, 100 * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN], (70 + 60 + 100) * MS,
	       "they left: unknown from their last records");
	is_u64(sums.lived, (100 + 60 + 100) * MS, "their lives go on");
	is_u64(sums.went_on, 3, "beyond the recording too");
	switches_release(&s);
}

/* More of both than could be visited for each other: that would be billions of steps. */
static void test_many_losses(void)
{
	enum { MANY = 50000, LOSSES = 100000 };
	struct switches s;
	struct sums sums;

	sum_begin(&s, &sums);
	for (uint32_t tid = 1; tid <= MANY; tid++)
		switches_born(&s, tid, 0);
	switches_in(&s, 1, MS, 0);
	for (uint64_t i = 1; i <= LOSSES; i++)
		switches_lost(&s, 1, (i + 1) * MS);
	switches_in(&s, 2, (LOSSES + 3) * MS, 1);
	switches_finish(&s, (LOSSES + 11) * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN],
	       MS * (MANY - 1) * (LOSSES + 1) + MS * (MANY - 2) * 10,
	       "all are lost but the one on another CPU");
	switches_release(&s);
}

/*
 * CPU 0 may have lost records from 20 to 40 ms, and thread 1 shows at 50 that it is on CPU 1.
 * TOLD: the next record of CPU 0 says so at 90, where SEEN: it has another one before that.
 */
static void test_hides(bool told, bool seen)
{
	struct switches s;
	struct sums sums;

	sum_begin(&s, &sums);
	switches_born(&s, 1, 0);
	switches_in(&s, 1, 10 * MS, 0);
	switches_out(&s, 1, 20 * MS, 0, false);
	switches_seen(&s, 0, 20 * MS);
	switches_hides(&s, 0, 40 * MS);
	switches_in(&s, 1, 50 * MS, 1);
	switches_out(&s, 1, 60 * MS, 1, false);
	if (seen)
		switches_seen(&s, 0, 70 * MS);
	if (told)
		switches_lost(&s, 0, 90 * MS);
	switches_in(&s, 1, 95 * MS, 1);
	switches_finish(&s, 100 * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN], (told && seen ? 20 + 20 : 20) * MS,
	       "a hidden loss is unknown%s", told ? ", and one that is another" : "");
	is_u64(sums.of[EXP_STATE_OTHER], (told && seen ? 10 + 10 + 5 : 10 + 35) * MS,
	       "the rest is not");
	switches_release(&s);
}

/* A crafted record: no loss of that CPU could be told. */
static void test_no_cpu(void)
{
	struct switches s;
	struct sums sums;

	sum_begin(&s, &sums);
	switches_born(&s, 1, 0);
	switches_in(&s, 1, 10 * MS, 1 << 20);
	switches_out(&s, 1, 30 * MS, 1 << 20, false);
	switches_finish(&s, 100 * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN], 20 * MS, "nothing is known of no CPU");
	switches_release(&s);
}

/* A file without the CPUs of its records: any loss may concern a thread that runs. */
static void test_unknown_cpu(void)
{
	struct switches s;
	struct sums sums;

	sum_begin(&s, &sums);
	switches_born(&s, 1, 0);
	switches_in(&s, 1, 10 * MS, SWITCHES_NO_CPU);
	switches_out(&s, 1, 30 * MS, SWITCHES_NO_CPU, false);
	switches_in(&s, 1, 40 * MS, SWITCHES_NO_CPU);
	switches_lost(&s, SWITCHES_NO_CPU, 50 * MS);
	switches_in(&s, 1, 70 * MS, SWITCHES_NO_CPU);
	switches_finish(&s, 100 * MS);
	is_u64(sums.of[EXP_STATE_WAIT], 10 * MS, "it waits, though on no known CPU");
	is_u64(sums.of[EXP_STATE_OTHER], 10 * MS + 20 * MS,
	       "and so before it runs again");
	is_u64(sums.of[EXP_STATE_UNKNOWN], 10 * MS, "what it did in a loss is unknown");
	switches_release(&s);
}

/* A look while it sleeps says for what, but the stack of its switch is the better one. */
static void test_looked(bool has_stack, bool wakes_early)
{
	struct switches s;
	struct sums sums;

	sum_begin(&s, &sums);
	switches_born(&s, 1, 0);
	switches_in(&s, 1, 10 * MS, 0);
	if (has_stack)
		switches_stack(&s, 1, &(struct switches_reason){ 3, EXP_STATE_OTHER, 0 });
	switches_out(&s, 1, 20 * MS, 0, false);
	switches_slept(&s, 1, 22 * MS, 24 * MS,
		       &(struct switches_reason){ 4, EXP_STATE_DISK, 0 });
	switches_slept(&s, 1, 25 * MS, 27 * MS,
		       &(struct switches_reason){ 5, EXP_STATE_LOCK, 0 });
	switches_in(&s, 1, (wakes_early ? 26 : 50) * MS, 0);
	switches_finish(&s, 60 * MS);
	is_u64(sums.of[EXP_STATE_LOCK], wakes_early ? 0 : 30 * MS,
	       "the last look has the cause");
	is_u64(sums.of_node[3],
	       !has_stack    ? 0
	       : wakes_early ? 6 * MS
			     : 30 * MS,
	       "the stack of a switch stays");
	is_u64(sums.of_node[5], has_stack || wakes_early ? 0 : 30 * MS,
	       "and else is that of the last look");
	is_u64(sums.of_node[4], 0, "no other's");
	switches_release(&s);
}

/* By the sample of its switch, a look, or both; of locks alone. */
static void test_addresses(void)
{
	static const struct {
		enum exp_state state, looked;
		uint64_t address, found, want; /* of the lock */
		bool preempted;
	} rows[] = {
		{ EXP_STATE_LOCK, EXP_STATES, 3, 0, 3, false },
		{ EXP_STATE_LOCK, EXP_STATES, 0, 0, 0, false },
		{ EXP_STATE_DISK, EXP_STATES, 3, 0, 0, false },
		{ EXP_STATE_LOCK, EXP_STATES, 3, 0, 0, true },
		{ EXP_STATE_OTHER, EXP_STATE_LOCK, 0, 4, 4, false },
		{ EXP_STATE_LOCK, EXP_STATE_LOCK, 3, 0, 3, false },
		{ EXP_STATE_LOCK, EXP_STATE_LOCK, 3, 4, 4, false },
		{ EXP_STATE_LOCK, EXP_STATE_SLEEP, 3, 0, 0, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct switches s;
		struct sums sums;

		sum_begin(&s, &sums);
		switches_began(&s, 1, 10 * MS, 0);
		switches_stack(
			&s, 1,
			&(struct switches_reason){ 2, rows[i].state, rows[i].address });
		switches_out(&s, 1, 20 * MS, 0, rows[i].preempted);
		if (rows[i].looked < EXP_STATES)
			switches_slept(&s, 1, 22 * MS, 24 * MS,
				       &(struct switches_reason){ 5, rows[i].looked,
								  rows[i].found });
		switches_in(&s, 1, 50 * MS, 0);
		switches_out(&s, 1, 60 * MS, 0, false);
		switches_finish(&s, 70 * MS);
		is_u64(sums.of_address[rows[i].want], (rows[i].want ? 30 : 40) * MS,
		       "row %zu: the address of the lock, and of no other wait", i);
		switches_release(&s);
	}
}

/* Thread 1 sleeps in a pipe, and records are lost for 30 ms: LOOKS of two at it count. */
static void begin_recovery(struct switches *s, struct sums *sums, bool looks)
{
	sum_begin(s, sums);
	switches_began(s, 1, 10 * MS, 0);
	switches_out(s, 1, 20 * MS, 0, false);
	switches_seen(s, 1, 30 * MS);
	switches_lost(s, 1, 60 * MS);
	ok(!switches_recover(s, 59 * MS), "in a loss nothing can be known");
	ok(switches_recover(s, 70 * MS), "behind it a look can count");
	ok(!switches_recover(s, 71 * MS), "all are told once");
	if (looks)
		switches_slept(s, 1, 80 * MS, 90 * MS,
			       &(struct switches_reason){ 4, EXP_STATE_PIPE, 0 });
}

static void is_recovery(const struct sums *sums, uint64_t other, uint64_t unknown,
			uint64_t pipe, const char *what)
{
	is_u64(sums->of[EXP_STATE_OTHER], other * MS, "%s: before the loss", what);
	is_u64(sums->of[EXP_STATE_UNKNOWN], unknown * MS, "%s: unknown", what);
	is_u64(sums->of[EXP_STATE_PIPE], pipe * MS, "%s: by the look", what);
	is_u64(sums->of_node[4], pipe * MS, "%s: with its stack", what);
}

/* What was lost stays unknown, and what follows is known by a look or a record. */
static void test_recovered(void)
{
	struct switches s;
	struct switches_sleep sleep;
	struct sums sums;

	begin_recovery(&s, &sums, true);
	switches_in(&s, 1, 160 * MS, 0);
	switches_end(&s, 1, 170 * MS);
	is_recovery(&sums, 10, 30, 100, "it wakes up");
	switches_release(&s);

	begin_recovery(&s, &sums, true);
	switches_finish(&s, 200 * MS);
	is_recovery(&sums, 10, 30, 140, "it sleeps to the end");
	switches_release(&s);

	begin_recovery(&s, &sums, false);
	ok(switches_sleeps(&s, 1, &sleep) && !sleep.was_seen, "it may be looked at");
	switches_finish(&s, 200 * MS);
	is_recovery(&sums, 10, 30 + 140, 0, "nobody looks: it may run");
	switches_release(&s);
}

/* Losses behind each other: between them the look counts, if it had ended by then. */
static void test_lost_again(void)
{
	struct switches s;
	struct sums sums;

	for (int ended = 0; ended < 2; ended++) {
		begin_recovery(&s, &sums, true);
		switches_seen(&s, 1, (ended ? 90 : 89) * MS);
		switches_lost(&s, 1, 120 * MS);
		ok(switches_recover(&s, 120 * MS), "another loss");
		switches_in(&s, 1, 160 * MS, 0);
		switches_end(&s, 1, 170 * MS);
		if (ended)
			is_recovery(&sums, 10 + 40, 30 + 30, 30, "after the look");
		else
			is_recovery(&sums, 10 + 40, 30 + 60, 0, "during the look");
		switches_release(&s);
	}
}

/* A thread whose CPU another one got is not asleep for all that is known. */
static void test_unseen_stays(void)
{
	struct switches s;
	struct switches_sleep sleep;
	struct sums sums;

	sum_begin(&s, &sums);
	switches_began(&s, 1, 10 * MS, 0);
	switches_began(&s, 2, 50 * MS, 0);
	for (uint64_t ms = 60; ms < 90; ms += 10) {
		switches_seen(&s, 1, ms * MS);
		switches_lost(&s, 1, (ms + 5) * MS);
		ok(switches_recover(&s, (ms + 6) * MS) && !switches_sleeps(&s, 1, &sleep),
		   "one that left its CPU unseen stays lost");
	}
	switches_finish(&s, 100 * MS);
	is_u64(sums.of[EXP_STATE_UNKNOWN], 90 * MS, "to its next record");
	switches_release(&s);
}

int main(void)
{
	test_displaced();
	test_gone();
	test_left();
	test_many_losses();
	for (unsigned i = 0; i < 4; i++)
		test_hides(i & 1, i & 2);
	test_no_cpu();
	test_unknown_cpu();
	for (unsigned i = 0; i < 4; i++)
		test_looked(i & 1, i & 2);
	test_addresses();
	test_recovered();
	test_lost_again();
	test_unseen_stays();
	return done_testing();
}
