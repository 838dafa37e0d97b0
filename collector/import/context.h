/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an import, for those that work on it: import.h, waits.h, log.h. */
#ifndef IMPORT_CONTEXT_H
#define IMPORT_CONTEXT_H

#include "base/vec.h"
#include "import/event.h"
#include "import/perf_file.h"
#include "import/perf_queue.h"
#include "recording/recording.h"
#include "sample/group_counts.h"

struct import_waits;

/* Reports progress now and then, for a file that takes long. */
typedef void import_progress_fn(void *ctx, uint64_t at, uint64_t end);

/* An import in progress. */
struct import {
	import_progress_fn *progress; /* NULL: none */
	void *progress_ctx;
	uint64_t taken;         /* records */
	struct perf_file *file; /* borrowed */
	struct recording *rec;  /* borrowed */
	struct perf_queue queue;
	VEC(struct import_event) events; /* as in the file */
	bool build_ids;                  /* some event reports those of mapped files */
	struct group_counts counts;
	struct import_waits *waits; /* owned */
	uint32_t rows;              /* events in the experiment */
	uint64_t *swapped; /* record_format's; NULL for a file of our byte order */
	uint64_t *record;  /* room for one, aligned */
	uint64_t unknown;  /* samples of an event that the file lacks */
	uint64_t lost[IMPORT_LOST_KINDS]; /* by the totals of the events */
	uint64_t filtered;                /* samples that a filter of perf's dropped */
};

#endif
