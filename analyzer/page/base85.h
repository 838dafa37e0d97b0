/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes as text on their way to a stream: five characters for four bytes.  As RFC 1924's
 * and Python's base85, but with ",.[]" for "<&()", which mean something in HTML and CSS.
 */
#ifndef BASE85_H
#define BASE85_H

#include <stddef.h>

#include "render/stream.h"

/* Zero but for OUT, which is borrowed, to start. */
struct base85 {
	struct stream *out;
	unsigned char rest[4]; /* of an incomplete group */
	size_t rest_len;
};

/* A stream's write function. */
int base85_write(void *base85, const char *bytes, size_t len);

/* The last group: one character more than it has bytes. */
void base85_end(struct base85 *base85);

#endif
