/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The priority of reading the rings.
 *
 * A reader that waits for a CPU loses samples, so it runs at real-time priority if that
 * is allowed.  But the target decides how much there is to read, and a flood of records
 * would keep a CPU from everybody else: a reader that uses more than half a CPU gives up
 * the priority until it uses less than a quarter for a second; after each further flood,
 * for twice as many seconds.
 */
#ifndef PRIORITY_H
#define PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

struct priority {
	int policy, nice;    /* of the thread, before */
	bool high;           /* real-time, now */
	uint64_t lowered_ns; /* how long it was lowered by floods */
	/* the measured second: its start, and the reader's CPU time then */
	uint64_t from_ns, from_used_ns;
	uint64_t low_since_ns;
	unsigned quiet,
		patience; /* seconds: in a row so far, and before it is high again */
};

/*
 * Raises the calling thread's priority at NOW_NS; its later threads and children do not
 * inherit that.  Leaves it unchanged if somebody chose a policy.
 */
void priority_raise(struct priority *p, uint64_t now_ns);

/* Call in each round.  Lowers the priority, or raises it again, when due. */
void priority_adapt(struct priority *p, uint64_t now_ns);

/* Restores it; but children no longer inherit a nice value below 0. */
void priority_restore(struct priority *p, uint64_t now_ns);

/*
 * Whether the priority should be high from NOW_NS on, when the thread has used USED_NS of
 * CPU time.  Both only grow.
 */
bool priority_should_be_high(struct priority *p, uint64_t now_ns, uint64_t used_ns);

#endif
