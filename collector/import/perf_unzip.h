/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in PERF_RECORD_COMPRESSED: one zstd stream, cut into records at any place,
 * whose plain text is records that may straddle those cuts.
 *
 * Memory: one chunk, whatever a record expands to; and no record expands to more than
 * PERF_UNZIP_MAX, 128 times what perf puts into one.
 */
#ifndef PERF_UNZIP_H
#define PERF_UNZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { PERF_UNZIP_MAX = 64 << 20 };

struct perf_unzip {
	void *stream;        /* zstd's; NULL until there is something to expand */
	struct strbuf plain; /* what was not taken yet: the beginning of a record */
};

void perf_unzip_release(struct perf_unzip *u);

/*
 * Takes as many of the LEN bytes as it can use and gives their number, or a negative
 * errno, which ends the reading.
 */
typedef int64_t perf_unzip_fn(void *ctx, const void *bytes, size_t len);

/*
 * Expands the payload of a record and hands out what it holds.  0; -EBADMSG for what is
 * no zstd or expands beyond measure; or what FN gave.
 */
int perf_unzip(struct perf_unzip *u, const void *bytes, size_t len, perf_unzip_fn *fn,
	       void *ctx) __attribute__((warn_unused_result));

#endif
