/* SPDX-License-Identifier: Apache-2.0 */
/* Names come from files and may be any bytes; what we write is UTF-8. */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

#include "base/strbuf.h"

/* Appends TEXT; each byte that is no part of valid UTF-8 becomes U+FFFD. */
void utf8_clean(struct strbuf *out, const char *text);

/* The same; control characters become '?' as well, so that a terminal is left alone. */
void utf8_printable(struct strbuf *out, const char *text);

/* Code points in valid UTF-8. */
size_t utf8_length(const char *text);

/* The byte at which code point N of valid UTF-8 starts, or its end. */
const char *utf8_at(const char *text, size_t n);

#endif
