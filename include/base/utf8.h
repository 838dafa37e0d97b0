/* SPDX-License-Identifier: Apache-2.0 */
/* Names come from files and may be any bytes; our output is UTF-8. */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

#include "base/strbuf.h"

/* Appends TEXT; each byte outside valid UTF-8 becomes U+FFFD. */
void utf8_clean(struct strbuf *out, const char *text);

/*
 * The same, and replaces invisible or misplaced characters with '?': control characters,
 * which a terminal obeys, line and paragraph separators, direction marks and other
 * characters without a width.
 */
void utf8_printable(struct strbuf *out, const char *text);

/* Appends JSON; such characters, which occur only in its strings, as \u…. */
void utf8_escape(struct strbuf *out, const char *json);

/* Code points in valid UTF-8. */
size_t utf8_length(const char *text);

/* The byte at which code point N of valid UTF-8 starts, or its end. */
const char *utf8_at(const char *text, size_t n);

#endif
