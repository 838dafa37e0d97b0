/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A perf.data file made into an experiment: another source of records for what a live run
 * does with them (recording.h).
 */
#ifndef IMPORT_H
#define IMPORT_H

#include "sample/group_counts.h"
#include "import/event.h"
#include "options/options.h"
#include "import/perf_file.h"
#include "import/perf_queue.h"
#include "recording/recording.h"

/* How far it is: told now and then, of a file that takes long. */
typedef void import_progress_fn(void *ctx, uint64_t at, uint64_t end);

/* A recording on its way from the file. */
struct import {
	import_progress_fn *progress; /* NULL: nobody asks */
	void *progress_ctx;
	uint64_t taken;         /* records */
	struct perf_file *file; /* borrowed */
	struct recording *rec;  /* borrowed */
	struct perf_queue queue;
	VEC(struct import_event) events; /* as the file has them */
	struct group_counts counts;
	uint32_t rows;     /* events in the experiment */
	uint64_t *swapped; /* record_format's; NULL for a file of our byte order */
	uint64_t *record;  /* room for one, aligned */
	uint64_t unknown;  /* samples of no event of the file */
	uint64_t lost[IMPORT_LOST_KINDS]; /* by the totals of the events */
	uint64_t filtered;                /* samples that a filter of perf's dropped */
};

void import_init(struct import *imp, struct perf_file *file, struct recording *rec);
void import_release(struct import *imp);

/*
 * All records of the file, in time order, into the recording.  0; or a negative code with
 * one sentence in ERR where the file is damaged.
 */
int import_records(struct import *imp, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The format by which the records of that event are decoded: for tests. */
const struct import_event *import_event_of(const struct import *imp, const void *bytes,
					   size_t len);

/* collect --import, as OPT says.  Speaks through diag; gives the exit status. */
int import_run(const struct options *opt);

#endif
