/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts the records of a file by time.
 *
 * perf drains one CPU's ring after the other, and marks the end of each round
 * (PERF_RECORD_FINISHED_ROUND): nothing older than the newest record of the previous
 * round can appear any more.  So two rounds wait in memory, not the file.  If a file has
 * no rounds, or very long ones, at most PERF_QUEUE_MAX bytes wait; then the older half is
 * passed on.  Records of the same time keep the file's order.
 *
 * The files of a directory are read in step, and the reader reports its position.
 */
#ifndef PERF_QUEUE_H
#define PERF_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

enum { PERF_QUEUE_MAX = 64 << 20 };

struct perf_queued {
	uint64_t time;
	size_t at; /* in bytes */
	uint32_t len;
};

struct perf_queue {
	struct strbuf bytes, kept; /* of the records, each aligned to 8 */
	VEC(struct perf_queued) v;
	size_t left;            /* bytes left when records were last passed on */
	uint64_t newest, limit; /* limit: of the next round */
	uint64_t reached;       /* the newest passed on */
	uint64_t late;          /* records that came after later ones were passed on */
};

void perf_queue_release(struct perf_queue *q);

/* Receives a record in order; BYTES are aligned to 8, and valid during the call. */
typedef void perf_queue_fn(void *ctx, const void *bytes, size_t len);

/* BYTES are copied. */
void perf_queue_add(struct perf_queue *q, uint64_t time, const void *bytes, size_t len,
		    perf_queue_fn *fn, void *ctx);

/* A round has ended. */
void perf_queue_round(struct perf_queue *q, perf_queue_fn *fn, void *ctx);

/* Nothing older than TIME will be added: passes it on, if enough waits. */
void perf_queue_until(struct perf_queue *q, uint64_t time, perf_queue_fn *fn, void *ctx);

/* Passes on all waiting records. */
void perf_queue_flush(struct perf_queue *q, perf_queue_fn *fn, void *ctx);

#endif
