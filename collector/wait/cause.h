/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the kernel's part of a stack to what a thread waits for, or what ends its wait: tables
 * of functions.
 */
#ifndef CAUSE_H
#define CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "experiment/format.h"
#include "experiment/state.h"
#include "process/kernel_names.h"

struct cause_row {
	const char *function; /* with a '*' at its end: all that begin so */
	enum exp_state state;
	bool call; /* only shows that the stack is a system call's */
};

/* The first row that fits any function of a stack says what the thread waits for. */
extern const struct cause_row cause_rows[];
extern const size_t cause_count;

/*
 * The first row that fits FUNCTION, whatever the compiler made of its name (.isra.0, .cold);
 * cause_count: none.
 */
size_t cause_find(const char *function);

/* Whether the thread is in a call that waits for the futex at its first argument. */
bool cause_has_address(const struct cause_row *row);

struct cause {
	struct kernel_names names;
	/* by address, of those that were looked up: rows of the tables of states, of wakers */
	struct idmap rows, wakers;
	uint64_t from, to; /* functions outside are not known … */
	uint64_t slide; /* … and others lie that much further on than in the stacks */
};

/* ROOT precedes /proc.  0, or a negative errno: the kernel hides its addresses. */
int cause_open(struct cause *c, const char *root) __attribute__((warn_unused_result));
void cause_release(struct cause *c);

/*
 * The stacks are of an earlier boot, or of a kernel whose modules may have changed: only
 * [FROM, TO) of it is known, and lies SLIDE further on now.  Sums wrap.
 */
void cause_limit(struct cause *c, uint64_t from, uint64_t to, uint64_t slide);

/*
 * The row that decides for a kernel part of COUNT addresses, innermost first; NULL: none, the
 * state is EXP_STATE_OTHER.
 */
const struct cause_row *cause_row(struct cause *c, const uint64_t *ips, size_t count);

/*
 * What ended a wait in an interrupt, or in what follows one, by the kernel part there: a timer,
 * another interrupt, or after all the thread that was there (EXP_WAKER_OF_RECORDING), as its
 * own call processed the packets that it had sent to this machine.
 */
struct cause_waker {
	const char *function; /* as in cause_row */
	enum exp_waker_kind kind;
};
extern const struct cause_waker cause_wakers[];
extern const size_t cause_waker_count;

enum exp_waker_kind cause_of_waking(struct cause *c, const uint64_t *ips, size_t count);

#endif
