/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect -w: how many of the switches of a CPU, and of its wakings, have their stack recorded:
 * all, or one in N if they come so fast that their stacks would slow the target down.
 */
#ifndef SWITCH_STACKS_H
#define SWITCH_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "recording/recording.h"
#include "sample/evlist.h"

/*
 * What a switch costs the thread: its two records, and its stack, of which so many KiB were copied.
 * Measured on one machine, and rounded up for slower ones.
 */
enum {
	SWITCH_STACKS_RECORDS_NS = 500,
	SWITCH_STACKS_STACK_NS = 1500,
	SWITCH_STACKS_KIB_NS = 250,
	SWITCH_STACKS_BARE_NS = 1000, /* a waking without a stack */
};

/*
 * Of a CPU's time: for both, and for stacks in any case.  What was not used before is left for
 * bursts.
 */
#define SWITCH_STACKS_SHARE       0.05
#define SWITCH_STACKS_SHARE_LEAST 0.01
#define SWITCH_STACKS_SAVED_NS    25e6

/* The same for each kind of wakings. */
#define SWITCH_STACKS_SHARE_WAKINGS 0.02

/* Of one CPU. */
struct switch_stacks_cpu {
	struct waiting_cpu
		seen;    /* until the last look; of wakings only samples, as stacks */
	uint64_t one_in; /* N since then */
	uint64_t sent;   /* what the kernel has for N; 0: none yet */
	size_t source;   /* to which event: evlist_source */
	double stack_ns; /* what a stack costs */
	double left_ns;  /* for stacks */
	double debt_ns;  /* of stacks that were taken, see switch_stacks_rests */
	bool rests;      /* the event */
};

struct switch_stacks {
	struct evlist *evlist; /* borrowed; NULL: nothing is thinned out */
	const struct waiting *waiting;
	const struct wakers *wakers; /* NULL: wakings are not recorded */
	uint64_t looked_ns;
	VEC(struct switch_stacks_cpu) cpus; /* empty: switches are not thinned out */
	VEC(struct switch_stacks_cpu) wakings[WAKING_KINDS];
};

void switch_stacks_init(struct switch_stacks *s, struct evlist *evlist,
			const struct recording *rec);
void switch_stacks_release(struct switch_stacks *s);

/* Call each round. */
void switch_stacks_look(struct switch_stacks *s, uint64_t now);

/* All events were paused: those that rested will go on with the others. */
void switch_stacks_forget(struct switch_stacks *s);

/* What a stack costs of which BYTES were copied. */
double switch_stacks_cost(double bytes);

/* There were COUNT switches in the last NS nanoseconds, a stack costs STACK_NS: N from now on. */
uint64_t switch_stacks_next(struct switch_stacks_cpu *c, uint64_t count, uint64_t ns,
			    double stack_ns);

/*
 * Of COUNT switches TAKEN had a stack.  A thread that inherited the event of a task keeps the N
 * that it began with: so the event rests while its stacks have taken too much.
 */
bool switch_stacks_rests(struct switch_stacks_cpu *c, const struct waiting_cpu *count,
			 uint64_t ns, double stack_ns);

/*
 * Whether the kernel needs the new N: it differs by a quarter or more, or the event is not
 * the one that got the last.  That costs a call for each thread, and the next switch is
 * sampled whatever N is.  Takes it for sent.
 */
bool switch_stacks_is_due(struct switch_stacks_cpu *c, size_t source);

#endif
