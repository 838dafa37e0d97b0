/* SPDX-License-Identifier: Apache-2.0 */
/* Compression while writing, as gzip does it. */
#ifndef GZIP_H
#define GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

#include "render/stream.h"

struct gzip {
	z_stream z;
	struct stream *out;
};

/* OUT is borrowed. */
void gzip_begin(struct gzip *gzip, struct stream *out);

/* A stream's write function. */
int gzip_write(void *gzip, const char *bytes, size_t len);

/* Whether what follows are columns of numbers, in which short repetitions are chance. */
void gzip_set_numbers(struct gzip *gzip, bool numbers);

void gzip_end(struct gzip *gzip);

#endif
