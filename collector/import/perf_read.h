/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a perf.data file, or the folder of perf record --threads: headers, then records. */
#ifndef PERF_READ_H
#define PERF_READ_H

#include "import/perf_file.h"
#include "base/strbuf.h"

/*
 * Reads the header of the file FD, which is borrowed: the events and, not in pipe mode,
 * everything except the records.  0; or a negative code with one sentence in ERR that
 * does not name the file.  Release either way.
 */
int perf_file_open(struct perf_file *f, int fd, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Walks the records.  In pipe mode events come among them, before their samples. */
int perf_file_read(struct perf_file *f, const struct perf_file_sink *sink,
		   struct strbuf *err) __attribute__((warn_unused_result));

#endif
