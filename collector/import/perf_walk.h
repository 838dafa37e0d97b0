/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A walk over the records of one stream.  Records that perf added to the kernel's are
 * processed on the way and kept in the stream's perf_file.
 */
#ifndef PERF_WALK_H
#define PERF_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "import/perf_file.h"
#include "import/perf_stream.h"
#include "base/strbuf.h"

/* All borrowed; the first four are the caller's to set. */
struct perf_walk {
	struct perf_file *f;
	struct perf_stream *stream;
	const struct perf_file_sink *sink;
	struct strbuf *err;
	bool inner;      /* within a compressed record */
	uint64_t behind; /* bytes that follow the record and belong to it */
};

/*
 * 1: a record was passed to the sink; 0: no whole one is left; or a negative code with
 * one sentence in ERR if the file is damaged.
 */
int perf_walk_step(struct perf_walk *w) __attribute__((warn_unused_result));

#endif
