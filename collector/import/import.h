/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a perf.data file to an experiment: another source of records for recording.h.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include "sample/group_counts.h"
#include "import/event.h"
#include "options/options.h"
#include "import/perf_file.h"
#include "import/perf_queue.h"
#include "recording/recording.h"

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
	struct group_counts counts;
	uint32_t rows;     /* events in the experiment */
	uint64_t *swapped; /* record_format's; NULL for a file of our byte order */
	uint64_t *record;  /* room for one, aligned */
	uint64_t unknown;  /* samples of an event that the file lacks */
	uint64_t lost[IMPORT_LOST_KINDS]; /* by the totals of the events */
	uint64_t filtered;                /* samples that a filter of perf's dropped */
};

void import_init(struct import *imp, struct perf_file *file, struct recording *rec);
void import_release(struct import *imp);

/*
 * Passes all records of the file, in time order, to the recording.  0, or a negative code
 * with one sentence in ERR if the file is damaged.
 */
int import_records(struct import *imp, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The event of a record, which has its format: for tests. */
const struct import_event *import_event_of(const struct import *imp, const void *bytes,
					   size_t len);

/* collect --import with OPT.  Reports through diag; returns the exit status. */
int import_run(const struct options *opt);

#endif
