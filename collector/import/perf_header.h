/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a perf.data file before and behind the records; only for perf_file.  Refuses
 * files of unknown or old formats.
 */
#ifndef PERF_HEADER_H
#define PERF_HEADER_H

#include "import/perf_file.h"
#include "import/perf_names.h"

/* Fills F from the file's header.  0, or a negative code with one sentence in ERR. */
int perf_header_read(struct perf_file *f, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * The file's function names for the object at PATH.  False: it has none; else the caller
 * releases OUT.
 */
bool perf_header_names(struct perf_file *f, const char *path, struct perf_names *out);

#endif
