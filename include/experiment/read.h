/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an experiment.
 *
 * The dictionaries (strings, modules, frames, nodes, …) are loaded whole when it is
 * opened; samples stay on the disk and are read a block at a time, so memory does not
 * grow with them.  Loading checks the hostile bytes: every id is in range, a node's
 * parent comes before it.
 *
 * If the data file ends early or is damaged, the part before is loaded, and truncated_at
 * is its end.
 */
#ifndef EXP_READ_H
#define EXP_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/experiment.h"
#include "base/strbuf.h"

/*
 * 0, or a negative code with one sentence in ERR that names the path and the remedy.
 * *OUT is the caller's, for experiment_free.
 */
int experiment_open(const char *path, struct experiment **out, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The same, without a limit on its decoded size. */
int experiment_open_unbounded(const char *path, struct experiment **out,
			      struct strbuf *err) __attribute__((warn_unused_result));

void experiment_free(struct experiment *exp);

/* From now on multiplies the weights of an event's samples by FACTOR, too, and rounds them. */
void experiment_scale(struct experiment *exp, size_t event, double factor);

/* Back to the recorded stacks and weights. */
void experiment_restore(struct experiment *exp);

/* A block of samples by columns; valid until the next call. */
struct exp_samples {
	size_t count;
	uint64_t first; /* number of its first among all samples */
	const uint64_t *time_ns, *thread, *cpu, *event, *weight, *node;
	const uint64_t *address, *latency, *data_source; /* 0: unknown */
	const uint64_t *waker; /* of a wait, see experiment_waker; 0: unknown */
};

/* The waker with that ID; the first, which is unknown, if the recording lost its row. */
static inline const struct exp_waker *experiment_waker(const struct experiment *exp,
						       uint64_t id)
{
	return &exp->wakers.data[id < exp->wakers.len ? id : 0];
}

/* A walk over an experiment's samples; zero it to start, release it at the end. */
struct exp_walk {
	size_t next;
	struct strbuf stored, raw;
	struct exp_rows rows;
};

/*
 * The next block in time order.  1: *OUT is filled; 0: no more; negative: the block is
 * damaged (EXP_BLOCK_DAMAGED) or unreadable (errno), the walk may go on after it.
 * Every thread, node and event in *OUT is in range.
 */
int experiment_next(struct experiment *exp, struct exp_walk *walk,
		    struct exp_samples *out) __attribute__((warn_unused_result));

/*
 * Reads the rows of the block of TABLE whose header is at OFFSET into WALK.  0 or negative,
 * as above; a file that changed since it was opened may have another table there, and
 * counts as damaged.
 */
int experiment_load(struct experiment *exp, enum exp_table table, uint64_t offset,
		    struct exp_walk *walk) __attribute__((warn_unused_result));

void exp_walk_release(struct exp_walk *walk);

/*
 * Whether a process of this machine is still writing it: writers hold a record lock of
 * fcntl(2) on the data file.
 */
bool experiment_is_growing(const struct experiment *exp);

#endif
