/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expands PERF_RECORD_COMPRESSED: one zstd stream, cut into records at any place; the
 * expanded records may straddle those cuts.
 *
 * Memory: one chunk, however large a record expands; and no record expands to more than
 * PERF_UNZIP_MAX, 128 times the size that perf puts into one.
 */
#ifndef PERF_UNZIP_H
#define PERF_UNZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { PERF_UNZIP_MAX = 64 << 20 };

struct perf_unzip {
	void *stream;        /* zstd's; NULL until first used */
	struct strbuf plain; /* bytes not taken yet: the start of a record */
};

void perf_unzip_release(struct perf_unzip *u);

/*
 * Takes as many of the LEN bytes as it can use and returns their number, or a negative
 * errno, which ends the reading.
 */
typedef int64_t perf_unzip_fn(void *ctx, const void *bytes, size_t len);

/*
 * Expands the payload of a record and passes on its content.  0; -EBADMSG if it is not
 * zstd or expands too far; or FN's error.
 */
int perf_unzip(struct perf_unzip *u, const void *bytes, size_t len, perf_unzip_fn *fn,
	       void *ctx) __attribute__((warn_unused_result));

#endif
