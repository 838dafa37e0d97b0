/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that must wait for other text to be written first: a little in memory, more in a
 * temporary file without a name, in TMPDIR or else in /var/tmp or /tmp.
 */
#ifndef SPOOL_H
#define SPOOL_H

#include <stdint.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "render/stream.h"

/* All-zero: empty. */
struct spool {
	struct strbuf text; /* while there is no file */
	FILE *file;
	uint64_t len; /* of both */
};

/* The directory of temporary files. */
const char *spool_folder(void);

/* Adds to a spool: a stream's write function. */
int spool_write(void *spool, const char *text, size_t len)
	__attribute__((warn_unused_result));

/* Finds out whether there was room for all of it. */
int spool_flush(struct spool *spool) __attribute__((warn_unused_result));

/* Passes all of it to WRITE, until that fails.  0 or a negative errno. */
int spool_copy(const struct spool *spool, stream_write_fn *write, void *ctx)
	__attribute__((warn_unused_result));

void spool_release(struct spool *spool);

#endif
