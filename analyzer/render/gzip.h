/* SPDX-License-Identifier: Apache-2.0 */
/* Compression while writing, as gzip does it. */
#ifndef GZIP_H
#define GZIP_H

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

void gzip_end(struct gzip *gzip);

#endif
