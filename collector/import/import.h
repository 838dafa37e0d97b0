/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a perf.data file to an experiment: another source of records for recording.h.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include "import/context.h"
#include "options/options.h"

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
