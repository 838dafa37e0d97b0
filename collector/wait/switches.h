/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From switches of threads to their waits: for each thread, when it had no CPU, and why.
 *
 * A thread has a CPU from a switch in to the next switch out, and waits from there to the
 * next switch in.  What no record proves is not guessed: that time is EXP_STATE_UNKNOWN.
 * While records of a CPU are lost, any thread may have had that CPU, except those that
 * had another one.  Afterwards the next record of a thread shows what it did since then: it
 * waited if it comes in, and ran if it goes out.  So does a look that finds it asleep.  A thread
 * whose CPU another one gets has left it unseen, and nothing is known of it until its next record.
 *
 * Calls come in the order of time; times are nanoseconds of one clock.  A loss is announced
 * when it began, as far as that is known by then.
 */
#ifndef SWITCHES_H
#define SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "experiment/state.h"

#define SWITCHES_NO_STACK UINT32_MAX
#define SWITCHES_NO_CPU   UINT32_MAX /* it is not known which */

struct switches_wait {
	uint32_t tid;
	uint32_t cpu;  /* that it left */
	uint32_t node; /* its stack; SWITCHES_NO_STACK: not known */
	enum exp_state state;
	/* of the lock, or of the instruction that wanted the page; 0: not known, or neither */
	uint64_t address;
	uint32_t waker; /* as switches_woken has it; 0: not known */
	uint64_t from_ns, to_ns;
	bool goes_on; /* it began before its thread was found */
};

/* What a thread waits for, and where. */
struct switches_reason {
	uint32_t node;
	enum exp_state state;
	uint64_t address;
};

struct switches_life {
	uint32_t tid;
	unsigned flags; /* EXP_LIFE_* */
	uint64_t from_ns, to_ns;
};

/* Called when a wait or a life has ended. */
struct switches_sink {
	void *ctx;
	void (*wait)(void *ctx, const struct switches_wait *wait);
	void (*life)(void *ctx, const struct switches_life *life);
};

struct switch_thread;

struct switches_cpu {
	uint64_t seen_ns; /* its last record, or the end of what it hides */
	bool hides;       /* that */
};

struct switches {
	struct switches_sink sink;
	struct idmap by_tid; /* index in threads */
	VEC(struct switch_thread) threads;
	VEC(uint32_t) unused;  /* of them */
	VEC(uint32_t) certain; /* of them: what they do is known until records are lost */
	VEC(struct switches_cpu) cpus;
	VEC(uint32_t) runs; /* by CPU: the thread that got it last */
	uint64_t
		lost_until_ns; /* the end of the losses that were announced, for all LOST */
	bool any_lost;         /* since switches_recover */
};

void switches_init(struct switches *s, const struct switches_sink *sink);
void switches_release(struct switches *s);

/*
 * TID lives from NOW on, and waits for its first CPU.  One of that number that lived has
 * ended.
 */
void switches_reused(struct switches *s, uint32_t tid, uint64_t now); /* only that */
void switches_born(struct switches *s, uint32_t tid, uint64_t now);

/* TID, which has CPU, begins another life with another program. */
void switches_began(struct switches *s, uint32_t tid, uint64_t now, uint32_t cpu);

/* TID was found alive: it lived before, and what it does is not known yet. */
void switches_found(struct switches *s, uint32_t tid, uint64_t now);

/* TID ended at an unknown time after its last record: its number is another's now. */
void switches_vanished(struct switches *s, uint32_t tid);

bool switches_know(const struct switches *s, uint32_t tid);

/* TID is about to give up its CPU: it will wait for REASON unless it is preempted. */
void switches_stack(struct switches *s, uint32_t tid,
		    const struct switches_reason *reason);

/* The same without its stack: what else shows the state, such as that of the task itself. */
void switches_state(struct switches *s, uint32_t tid, enum exp_state state);

/* What is known of a wait that goes on. */
struct switches_sleep {
	uint64_t since_ns;
	bool has_stack; /* of its switch */
	bool has_cause;
	bool was_seen; /* switches_slept */
	bool is_fault; /* for a page, of code or data */
};

/* Whether TID waits, as far as is known, and not for a CPU. */
bool switches_sleeps(const struct switches *s, uint32_t tid, struct switches_sleep *out);

/*
 * TID, which sleeps, was looked at between FROM and TO: it waited for REASON.  That counts only
 * if the wait began before and ends later.  The stack of its switch, if it has one, is the
 * better one, and stays; so does the lock's address if REASON has none.
 */
void switches_slept(struct switches *s, uint32_t tid, uint64_t from, uint64_t to,
		    const struct switches_reason *reason);

/* TID leaves CPU, or gets it. */
void switches_out(struct switches *s, uint32_t tid, uint64_t now, uint32_t cpu,
		  bool preempted);
void switches_in(struct switches *s, uint32_t tid, uint64_t now, uint32_t cpu);

/*
 * What TID waited for has come, by WAKER, a number of the caller's: from now on it waits for a
 * CPU.  Nothing happens unless that is a wait that can end so: see switches_may_wake.
 */
void switches_woken(struct switches *s, uint32_t tid, uint64_t now, uint32_t waker);

/* Whether TID waits at NOW, by its switch, and not for a CPU. */
bool switches_may_wake(const struct switches *s, uint32_t tid, uint64_t now);

/* A sample shows that TID runs on CPU. */
void switches_ran(struct switches *s, uint32_t tid, uint64_t now, uint32_t cpu);

/*
 * TID, which is about to leave a CPU, got it at some time after FROM.  If a record showed
 * when, this changes nothing.  Whether the thread waited, as far as was known.
 */
bool switches_unseen(struct switches *s, uint32_t tid, uint64_t from);

void switches_end(struct switches *s, uint32_t tid, uint64_t now);

/* CPU has a record of that time: none was lost between it and the one before. */
void switches_seen(struct switches *s, uint32_t cpu, uint64_t now);

/* Records of CPU were lost, from its last one to TO. */
void switches_lost(struct switches *s, uint32_t cpu, uint64_t to);

/*
 * The same, but no record of it says so yet, if any were lost.  Where the next one does,
 * that is no other loss.
 */
void switches_hides(struct switches *s, uint32_t cpu, uint64_t to);

/*
 * All records up to NOW were there.  Once that is behind all losses, a thread that did not run
 * since then waits: switches_sleeps is true of it, so that a look can prove it and show why.
 * True: threads are in doubt now that were lost before.
 */
bool switches_recover(struct switches *s, uint64_t now);

enum switches_fate {
	SWITCHES_LIVES,
	SWITCHES_ENDED,
	SWITCHES_LEFT, /* it lives where nothing is recorded */
};

/*
 * Call when the recording stops, before its last records: of a thread that has ended or
 * left, and whose end has no record, nothing is known after its last one.
 */
typedef enum switches_fate switches_fate_fn(void *ctx, uint32_t tid);
void switches_check(struct switches *s, switches_fate_fn *fate, void *ctx);

/* The recording ends: so do all waits and lives. */
void switches_finish(struct switches *s, uint64_t now);

#endif
