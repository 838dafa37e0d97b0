/* SPDX-License-Identifier: Apache-2.0 */
/*
 * At which priority the rings are read.
 *
 * A reader that waits for a CPU loses samples, so it runs at real-time priority where
 * that is allowed.  But the target decides how much there is to read, and a flood of
 * records would keep a CPU from everybody else: a reader that uses more than half a CPU
 * gives the priority up until a second passes in which it uses less than a quarter, and
 * after each further flood twice as many.
 */
#ifndef PRIORITY_H
#define PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

struct priority {
	int policy, nice;    /* of the thread, before */
	bool high;           /* real-time, now */
	uint64_t lowered_ns; /* how long it was not, because of a flood */
	/* the second that is measured: when it began, and what the reader had used then */
	uint64_t from_ns, from_used_ns;
	uint64_t low_since_ns;
	unsigned quiet,
		patience; /* seconds: in a row so far, and before it is high again */
};

/*
 * Raises the calling thread's priority at NOW_NS; threads and children that it starts do
 * not inherit that.  Leaves it as it is where somebody chose a policy.
 */
void priority_raise(struct priority *p, uint64_t now_ns);

/* To be called in each round.  Lowers it, or raises it again, where that is due. */
void priority_adapt(struct priority *p, uint64_t now_ns);

/* As it was before; but children no longer inherit a nice value below 0. */
void priority_restore(struct priority *p, uint64_t now_ns);

/*
 * What priority_adapt decides by: whether it should be high from NOW_NS on, when the
 * thread has used USED_NS of CPU time.  Both only grow.
 */
bool priority_should_be_high(struct priority *p, uint64_t now_ns, uint64_t used_ns);

#endif
