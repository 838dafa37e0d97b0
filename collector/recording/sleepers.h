/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at threads while they sleep (collect -w), if no sample has the stack of their switch:
 * the kernel gives ordinary users none, takes one in N of frequent switches, and has none of a
 * wait that began before the recording, or while records were lost.
 *
 *	       out     due   sent  read         records until here    in
 *	time ───┼───────┼─────┼────┼──┼─────────────────┼──────────────┼──→
 *	                                            is settled
 *
 * A thread that left its CPU is read from /proc once its wait has lasted SLEEPERS_DUE_NS.  What
 * was read is settled, turned into a stack and a cause, when the records of all CPUs up to then
 * show that the thread did not run meanwhile: at the latest when it gets a CPU.  Otherwise it is
 * dropped.
 *
 * Reading takes at most 1 % of the machine's CPU time, of four CPUs at most, and so do the rounds
 * that must be short for it: what is beyond stays without a stack.
 */
#ifndef SLEEPERS_H
#define SLEEPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "process/kernel_stack.h"
#include "process/sleeper_reader.h"
#include "recording/recording.h"

#define SLEEPERS_DUE_NS 1000000u

struct sleepers_thread {
	uint32_t tid;
	uint32_t room;   /* bytes of its stack to read */
	uint64_t due_ns; /* from the recording's start */
};

struct sleepers {
	struct recording *rec; /* borrowed; NULL: threads are not looked at */
	struct sleeper_reader reader;
	struct kernel_stack_places places;
	VEC(struct sleepers_thread) queue;
	size_t first;         /* of the queue */
	struct idmap queued;  /* threads */
	struct idmap answers; /* by thread: index among the answers, */
	struct sleeper *answer;
	size_t answers_len, settled;  /* how many there are, and are settled or dropped */
	double share;                 /* of a CPU's time that may be used */
	double left_ns, each_ns;      /* CPU time to use, and what a reading takes */
	uint64_t looked_ns, used_ns;  /* the last look, and the CPU time by then */
	double round_ns;              /* CPU time of a round without its records */
	uint64_t records;             /* since the last look */
	uint64_t again_ns;            /* not before: to visit all threads after a loss */
	uint64_t read, kept, refused; /* threads; refused: by the kernel */
	uint64_t dropped;             /* not read while the reader was exhausted */
};

void sleepers_init(struct sleepers *s, struct recording *rec, size_t cpus);
void sleepers_release(struct sleepers *s);

/* All threads that are known by now. */
void sleepers_add_all(struct sleepers *s);

/* TID has left its CPU; TIME counts from the recording's start, like all times here. */
void sleepers_add(struct sleepers *s, uint32_t tid, uint64_t time);

/* TID is about to get a CPU. */
void sleepers_wake(struct sleepers *s, uint32_t tid, uint64_t time);

/* Call each round, before its records. */
void sleepers_take(struct sleepers *s);

/*
 * And behind them, at NOW: all up to UNTIL_NS have been taken.  Both by CLOCK_MONOTONIC.
 */
void sleepers_look(struct sleepers *s, uint64_t now, uint64_t until_ns);

/* In how many milliseconds the next round should be, at most. */
int sleepers_rest_ms(const struct sleepers *s);

#endif
