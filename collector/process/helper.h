/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that does one job at a time for somebody who must not wait for long, as the job
 * may hang in the kernel for ever.  A thread that takes too long is left behind: it drops
 * its answer when it comes back, and ends with the program.
 *
 * A struct helper is the first member of a struct with the job and its answer.  These
 * belong to the thread while it is busy, and to its owner otherwise.
 */
#ifndef HELPER_H
#define HELPER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct helper;

/* FREE also frees the struct around the helper. */
struct helper_kind {
	void (*work)(struct helper *h);
	void (*drop)(struct helper *h); /* an answer that comes too late; NULL: nothing */
	void (*free)(struct helper *h);
	bool hurries; /* see helper_hurry; from the start */
};

struct helper {
	const struct helper_kind *kind;
	pthread_t thread;
	bool hurried;
	pthread_mutex_t lock;
	pthread_cond_t asked, answered;
	bool busy, ended;
	atomic_bool abandoned; /* nobody waits for the answer any more */
};

/* False, and H is freed: there can be no thread. */
bool helper_start(struct helper *h, const struct helper_kind *kind)
	__attribute__((warn_unused_result));

/* Whether the thread is at work: it was left behind, and is not back. */
bool helper_is_busy(struct helper *h);

/*
 * Has the thread do its job; it must not be busy.  Waits for the answer until UNTIL_NS, by
 * helper_now_ns.  False: the thread is left behind.
 */
bool helper_ask(struct helper *h, int64_t until_ns) __attribute__((warn_unused_result));

/* Waits until a thread that was left behind is back, or UNTIL_NS. */
void helper_wait(struct helper *h, int64_t until_ns);

/* helper_ask without waiting: helper_is_busy says when the job is done. */
void helper_begin(struct helper *h);

/* CLOCK_MONOTONIC. */
int64_t helper_now_ns(void);

/* Does not wait; the thread frees H. */
void helper_end(struct helper *h);

/*
 * Gives the thread the priority of the reader of the rings, which waits for it while they
 * fill up.  Its owner does that: on a busy machine the thread itself might not run for long.
 */
void helper_hurry(struct helper *h);

#endif
