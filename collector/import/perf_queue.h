/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a file into time order.
 *
 * perf drains one CPU's ring after the other, and says when it has been through all of
 * them (PERF_RECORD_FINISHED_ROUND): what is older than the newest record of the round
 * before cannot appear any more.  So two rounds wait in memory, not the file.  Where a
 * file has no rounds, or has very long ones, at most PERF_QUEUE_MAX bytes wait, and the
 * older half goes on then.  Records of the same time keep the file's order.
 *
 * Of a folder's files, which are read in step, the reader says how far it is.
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
	size_t left;            /* bytes that the last to be handed out left */
	uint64_t newest, limit; /* limit: of the next round */
	uint64_t reached;       /* the newest that was handed out */
	uint64_t late;          /* records that came when later ones were handed out */
};

void perf_queue_release(struct perf_queue *q);

/* A record in its turn; BYTES are aligned to 8, and good during the call. */
typedef void perf_queue_fn(void *ctx, const void *bytes, size_t len);

/* BYTES are copied. */
void perf_queue_add(struct perf_queue *q, uint64_t time, const void *bytes, size_t len,
		    perf_queue_fn *fn, void *ctx);

/* A round has ended. */
void perf_queue_round(struct perf_queue *q, perf_queue_fn *fn, void *ctx);

/* Nothing older than TIME will be added: hands it out, once as much waits as pays. */
void perf_queue_until(struct perf_queue *q, uint64_t time, perf_queue_fn *fn, void *ctx);

/* All that waits. */
void perf_queue_flush(struct perf_queue *q, perf_queue_fn *fn, void *ctx);

#endif
