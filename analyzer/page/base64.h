/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as base64 (RFC 4648) on their way to a stream. */
#ifndef BASE64_H
#define BASE64_H

#include <stddef.h>

#include "render/stream.h"

/* Zero but for OUT, which is borrowed, to start. */
struct base64 {
	struct stream *out;
	unsigned char rest[3]; /* of an incomplete group of three */
	size_t rest_len;
};

/* A stream's write function. */
int base64_write(void *base64, const char *bytes, size_t len);

/* The last group, with its padding. */
void base64_end(struct base64 *base64);

#endif
