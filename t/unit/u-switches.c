/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads are moved among CPUs at random; what switches.c makes of the records is compared
 * with what they did, instant by instant.  Records of one CPU are lost in between.
 */
#include "wait/switches.h"

#include <string.h>

#include "experiment/format.h"
#include "random.h"
#include "tap.h"

/* An instant is longer than what counts as the same switch, reported twice. */
enum {
	THREADS = 6,
	CPUS = 3,
	LOSSY = 1, /* the CPU whose records are lost */
	INSTANTS = 400,
	INSTANT_NS = 2000000,
	NOBODY = 255,
	RECORDS_MAX = 4 * INSTANTS,
};

/* What a thread did in an instant, or is said to have done. */
enum { ABSENT, RAN, WAITED /* + its state; the stack is the instant when it began */ };

struct did {
	unsigned what;
	uint32_t node;
	uint32_t cpu;     /* RAN: on which */
	uint64_t address; /* of its lock: the instant and this */
};

enum { ADDRESS = 0x1000 };

enum kind { BORN, IN, OUT, PREEMPTED, END, RAN_HERE, LOSS };

struct rec {
	enum kind kind;
	uint32_t tid, cpu, node;
	enum exp_state state; /* of the stack; EXP_STATES: it has none */
	unsigned at;          /* instant */
	unsigned until;       /* LOSS */
};

/* TID was looked at while it slept, perhaps: from one instant to another. */
struct look {
	uint32_t tid;
	unsigned from, to;
	bool counts; /* it was asleep, as far as was known then */
};

/* The node of a look is its index and this. */
enum { LOOKED = 100000 };

struct world {
	uint64_t random;
	struct did truth[THREADS][INSTANTS], told[THREADS][INSTANTS];
	struct rec recs[RECORDS_MAX];
	size_t count;
	uint8_t on[CPUS]; /* who has it */
	bool lives[THREADS], unborn[THREADS];
	struct did now[THREADS];
	bool loses; /* now */
	bool any_loss[INSTANTS];
	bool has_record[THREADS][INSTANTS]; /* that was not lost */
	unsigned overlaps, outside, fractions;
	struct look looks[INSTANTS];
	size_t looks_len;
	unsigned looked, guessed, missed; /* waits */
	unsigned recovered;               /* from losses */
};

static void note(struct world *w, const struct rec *r)
{
	if (w->loses && r->cpu == LOSSY)
		return;
	w->has_record[r->tid][r->at] = true;
	w->recs[w->count++] = *r;
}

static void leave(struct world *w, uint32_t cpu, unsigned at)
{
	static const enum exp_state states[] = { EXP_STATE_LOCK, EXP_STATE_SLEEP,
						 EXP_STATES };
	struct rec r = { .kind = OUT, .tid = w->on[cpu], .cpu = cpu, .at = at };
	enum exp_state state;

	r.state = states[random_below(&w->random, 3)];
	r.node = r.state < EXP_STATES ? at : SWITCHES_NO_STACK;
	if (random_below(&w->random, 3) == 0)
		r.kind = PREEMPTED;
	if (random_below(&w->random, 12) == 0)
		r.kind = END;
	note(w, &r);
	state = r.kind == PREEMPTED    ? EXP_STATE_WAIT
		: r.state < EXP_STATES ? r.state
				       : EXP_STATE_OTHER;
	w->now[r.tid] = (struct did){ r.kind == END ? ABSENT : WAITED + state, r.node,
				      cpu, state == EXP_STATE_LOCK ? ADDRESS + at : 0 };
	w->lives[r.tid] = r.kind != END;
	w->on[cpu] = NOBODY;
}

static void enter(struct world *w, uint32_t cpu, unsigned at)
{
	uint32_t tid = random_below(&w->random, THREADS);

	if (!w->lives[tid] || w->now[tid].what == RAN)
		return;
	w->on[cpu] = (uint8_t)tid;
	w->now[tid] = (struct did){ RAN, 0, cpu, 0 };
	note(w, &(struct rec){ .kind = IN, .tid = tid, .cpu = cpu, .at = at });
}

/* By a thread that has a CPU, which reports it. */
static void fork_one(struct world *w, uint32_t cpu, unsigned at)
{
	for (uint32_t tid = 0; tid < THREADS; tid++) {
		if (!w->unborn[tid])
			continue;
		w->unborn[tid] = false;
		w->lives[tid] = true;
		w->now[tid] = (struct did){ WAITED + EXP_STATE_WAIT, SWITCHES_NO_STACK, 0,
					    0 };
		note(w, &(struct rec){ .kind = BORN, .tid = tid, .cpu = cpu, .at = at });
		return;
	}
}

static void act(struct world *w, unsigned at)
{
	uint32_t cpu = random_below(&w->random, CPUS);

	if (w->on[cpu] == NOBODY)
		enter(w, cpu, at);
	else if (random_below(&w->random, 8) == 0)
		fork_one(w, cpu, at);
	else if (random_below(&w->random, 4) == 0)
		note(w,
		     &(struct rec){
			     .kind = RAN_HERE, .tid = w->on[cpu], .cpu = cpu, .at = at });
	else
		leave(w, cpu, at);
}

/* A loss is told at the CPU's last record before it, and ends with the next one. */
static void begin_loss(struct world *w, unsigned at)
{
	unsigned until = at + 1 + random_below(&w->random, 20);

	if (until >= INSTANTS)
		return;
	w->loses = true;
	w->recs[w->count++] =
		(struct rec){ .kind = LOSS, .cpu = LOSSY, .at = at, .until = until };
}

static void live(struct world *w, bool losses)
{
	unsigned until = 0;

	memset(w->on, NOBODY, sizeof(w->on));
	for (uint32_t tid = 0; tid < THREADS; tid++)
		w->unborn[tid] = tid > 0;
	w->lives[0] = true;
	w->now[0] = (struct did){ WAITED + EXP_STATE_WAIT, SWITCHES_NO_STACK, 0, 0 };
	w->recs[w->count++] = (struct rec){ .kind = BORN };
	for (unsigned at = 0; at < INSTANTS; at++) {
		if (w->loses && at >= until)
			w->loses = false;
		if (losses && !w->loses && random_below(&w->random, 40) == 0) {
			begin_loss(w, at);
			until = w->loses ? w->recs[w->count - 1].until : 0;
		}
		w->any_loss[at] = w->loses;
		act(w, at);
		for (uint32_t tid = 0; tid < THREADS; tid++)
			w->truth[tid][at] = w->now[tid];
	}
}

/* ---- what switches.c says ---- */

/* Whether LOOK lies in the wait, which it should describe. */
static bool is_inside(const struct look *look, const struct switches_wait *wait)
{
	return look->counts && look->tid == wait->tid &&
	       (uint64_t)look->from * INSTANT_NS >= wait->from_ns &&
	       (uint64_t)look->to * INSTANT_NS <= wait->to_ns;
}

static void judge_looks(struct world *w, const struct switches_wait *wait)
{
	if (wait->node != SWITCHES_NO_STACK && wait->node >= LOOKED) {
		w->looked++;
		w->guessed += !is_inside(&w->looks[wait->node - LOOKED], wait);
		return;
	}
	for (size_t i = 0; wait->state == EXP_STATE_OTHER && i < w->looks_len; i++)
		w->missed += is_inside(&w->looks[i], wait);
}

static void take_wait(void *ctx, const struct switches_wait *wait)
{
	struct world *w = ctx;

	judge_looks(w, wait);
	w->fractions += wait->state != EXP_STATE_UNKNOWN && wait->to_ns % INSTANT_NS != 0;
	for (uint64_t t = wait->from_ns / INSTANT_NS; t < wait->to_ns / INSTANT_NS; t++) {
		struct did *did = &w->told[wait->tid][t];

		w->overlaps += did->what >= WAITED;
		*did = (struct did){ WAITED + wait->state, wait->node, 0, wait->address };
	}
}

/* Comes after its waits: what is left is the time in which it ran. */
static void take_life(void *ctx, const struct switches_life *life)
{
	struct world *w = ctx;

	for (uint64_t t = 0; t < INSTANTS; t++) {
		struct did *did = &w->told[life->tid][t];
		bool inside = t >= life->from_ns / INSTANT_NS &&
			      t < life->to_ns / INSTANT_NS;

		w->outside += !inside && did->what >= WAITED;
		if (inside && did->what == ABSENT)
			did->what = RAN;
	}
}

static void feed(struct switches *s, const struct rec *r, uint64_t late_ns)
{
	uint64_t now = (uint64_t)r->at * INSTANT_NS + late_ns;

	if (r->kind == LOSS) {
		switches_seen(s, r->cpu, now);
		switches_lost(s, r->cpu, (uint64_t)r->until * INSTANT_NS);
		return;
	}
	if (r->kind != BORN)
		switches_found(s, r->tid, now);
	if ((r->kind == OUT || r->kind == PREEMPTED) && r->state < EXP_STATES)
		switches_stack(
			s, r->tid,
			&(struct switches_reason){ r->node, r->state, ADDRESS + r->at });
	if (r->kind == BORN)
		switches_born(s, r->tid, now);
	else if (r->kind == IN)
		switches_in(s, r->tid, now, r->cpu);
	else if (r->kind == END)
		switches_end(s, r->tid, now);
	else if (r->kind == RAN_HERE)
		switches_ran(s, r->tid, now, r->cpu);
	else
		switches_out(s, r->tid, now, r->cpu, r->kind == PREEMPTED);
}

/* What is not known of waits is looked for, one thread in each instant until AT. */
static void look_until(struct world *w, struct switches *s, unsigned at)
{
	for (; w->looks_len <= at; w->looks_len++) {
		w->recovered += switches_recover(s, w->looks_len * INSTANT_NS);
		struct look *look = &w->looks[w->looks_len];
		struct switches_sleep sleep;
		unsigned from = (unsigned)w->looks_len;

		*look = (struct look){ random_below(&w->random, THREADS), from,
				       from + random_below(&w->random, 3), false };
		look->counts = switches_sleeps(s, look->tid, &sleep) &&
			       !sleep.has_stack && !sleep.was_seen &&
			       w->truth[look->tid][from].what >= WAITED;
		if (look->counts)
			switches_slept(s, look->tid, (uint64_t)look->from * INSTANT_NS,
				       (uint64_t)look->to * INSTANT_NS,
				       &(struct switches_reason){ LOOKED + from,
								  EXP_STATE_DISK, 0 });
	}
}

static void run(struct world *w, uint64_t seed, bool losses, bool looks)
{
	const struct switches_sink sink = { w, take_wait, take_life };
	struct switches s;

	*w = (struct world){ .random = seed };
	live(w, losses);
	switches_init(&s, &sink);
	for (size_t i = 0; i < w->count; i++) {
		if (looks && w->recs[i].at)
			look_until(w, &s, w->recs[i].at - 1);
		feed(&s, &w->recs[i], 0);
		if (i % 3 == 0 && w->recs[i].kind != LOSS && w->recs[i].kind != END)
			feed(&s, &w->recs[i], 300); /* another event's */
	}
	switches_finish(&s, (uint64_t)INSTANTS * INSTANT_NS);
	switches_release(&s);
}

static bool same(const struct did *a, const struct did *b)
{
	return a->what == b->what &&
	       (a->what < WAITED || (a->node == b->node && a->address == b->address));
}

/* No record of TID from AT to the next loss, in that direction, or the end. */
static bool is_silent(const struct world *w, uint32_t tid, int at, int step)
{
	for (; at >= 0 && at < INSTANTS && !w->any_loss[at]; at += step)
		if (w->has_record[tid][at])
			return false;
	return step > 0 || at >= 0;
}

/* Whether it is right not to know what TID did. */
static bool may_not_know(const struct world *w, uint32_t tid, unsigned at)
{
	const struct did *truth = &w->truth[tid][at];

	if (w->any_loss[at])
		return truth->what != RAN || truth->cpu == LOSSY;
	return is_silent(w, tid, (int)at, -1) && is_silent(w, tid, (int)at + 1, 1);
}

/* What is said of a thread that lost records concern: only the truth, if anything. */
static bool is_sound(const struct world *w, uint32_t tid, unsigned at)
{
	const struct did *told = &w->told[tid][at], *truth = &w->truth[tid][at];

	if (told->what == WAITED + EXP_STATE_UNKNOWN)
		return may_not_know(w, tid, at);
	if (told->what == ABSENT) /* its birth was lost, or its end is its last sign */
		return true;
	if (told->what == WAITED + EXP_STATE_OTHER)
		return truth->what >= WAITED || truth->what == ABSENT;
	return same(told, truth);
}

static void test_exact(void)
{
	static struct world w;
	unsigned wrong = 0, waits = 0;

	for (uint64_t seed = 1; seed <= 300; seed++) {
		run(&w, seed * RANDOM_SEED, false, false);
		for (uint32_t tid = 0; tid < THREADS; tid++)
			for (unsigned at = 0; at < INSTANTS; at++) {
				wrong += !same(&w.told[tid][at], &w.truth[tid][at]);
				waits += w.told[tid][at].what >= WAITED;
			}
		wrong += w.overlaps + w.outside + w.fractions;
	}
	is_u64(wrong, 0, "each instant is what it was");
	ok(waits > 100000, "%u instants of waiting", waits);
}

static void test_losses(void)
{
	static struct world w;
	unsigned wrong = 0, unknown = 0, known = 0;

	for (uint64_t seed = 1; seed <= 300; seed++) {
		run(&w, seed * RANDOM_SEED, true, false);
		for (uint32_t tid = 0; tid < THREADS; tid++)
			for (unsigned at = 0; at < INSTANTS; at++) {
				unsigned what = w.told[tid][at].what;

				wrong += !is_sound(&w, tid, at);
				unknown += what == WAITED + EXP_STATE_UNKNOWN;
				known += what != ABSENT &&
					 what != WAITED + EXP_STATE_UNKNOWN;
			}
		wrong += w.overlaps + w.outside + w.fractions;
	}
	is_u64(wrong, 0, "records are lost: nothing is said that was not");
	ok(unknown > 1000 && known > unknown, "%u instants are unknown, %u known",
	   unknown, known);
}

/* Whether TID waited in all of the instants of LOOK. */
static bool slept_in(const struct world *w, uint32_t tid, unsigned from, unsigned to)
{
	for (unsigned at = from; at <= to && at < INSTANTS; at++)
		if (w->truth[tid][at].what < WAITED && at < to)
			return false;
	return true;
}

static void test_looks(bool losses)
{
	static struct world w;
	unsigned looked = 0, guessed = 0, missed = 0, wrong = 0;
	unsigned recovered = 0, unsound = 0;

	for (uint64_t seed = 1; seed <= 300; seed++) {
		run(&w, seed * RANDOM_SEED, losses, true);
		looked += w.looked;
		guessed += w.guessed + w.overlaps + w.outside;
		missed += w.missed;
		recovered += w.recovered;
		for (uint32_t tid = 0; tid < THREADS; tid++)
			for (unsigned at = 0; at < INSTANTS; at++) {
				uint32_t node = w.told[tid][at].node;
				bool by_look = w.told[tid][at].what >= WAITED &&
					       node >= LOOKED &&
					       node != SWITCHES_NO_STACK;

				wrong += by_look &&
					 (w.truth[tid][at].what < WAITED ||
					  !slept_in(&w, tid, w.looks[node - LOOKED].from,
						    w.looks[node - LOOKED].to));
				unsound += !by_look && !is_sound(&w, tid, at);
			}
	}
	ok(looked > 500, "%u waits are known by a look%s", looked,
	   losses ? ", though records are lost" : "");
	is_u64(guessed + wrong, 0, "each slept all the time that its look took");
	is_u64(unsound, 0, "what no look shows is as without looks");
	if (!losses)
		is_u64(missed, 0, "and no such look is lost");
	ok((recovered > 1000) == losses, "%u ends of losses", recovered);
}

int main(void)
{
	test_exact();
	test_losses();
	test_looks(false);
	test_looks(true);
	return done_testing();
}
