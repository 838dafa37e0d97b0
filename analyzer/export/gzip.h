/* SPDX-License-Identifier: Apache-2.0 */
/* A text as a gzip file. */
#ifndef GZIP_H
#define GZIP_H

#include <stddef.h>

#include "base/strbuf.h"

/* Appends LEN bytes, compressed, to OUT. */
void gzip_add(struct strbuf *out, const void *bytes, size_t len);

#endif
