/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads had a CPU at once: exact, from the lives and waits of a source, whatever
 * the filter.
 */
#ifndef CONCURRENCY_H
#define CONCURRENCY_H

#include <stdint.h>

#include "model/life_parts.h"
#include "base/vec.h"

/* The time at which this number of threads ran at once. */
struct running {
	uint64_t threads, ns;
	uint64_t
		unknown_ns; /* of that: it may have been more, by threads in state unknown */
};

struct concurrency {
	VEC(struct running) rows; /* by number; those that occurred */
	struct life_span span;
};

/* Overwrites OUT, which the caller releases. */
void concurrency_read(struct concurrency *out, const struct source *source);
void concurrency_release(struct concurrency *concurrency);

#endif
