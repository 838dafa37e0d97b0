/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of perf record --threads: many files, each in the order of its ring, read
 * in step.  The file that is furthest behind is read, at most PERF_FOLDER_STEP_NS beyond
 * the next one; so only one step of each file waits for sorting.
 */
#ifndef PERF_FOLDER_H
#define PERF_FOLDER_H

#include "import/perf_file.h"

#define PERF_FOLDER_STEP_NS 1000000u

/* perf_file_read of a file with parts. */
int perf_folder_read(struct perf_file *f, const struct perf_file_sink *sink,
		     struct strbuf *err) __attribute__((warn_unused_result));

#endif
