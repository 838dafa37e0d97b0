/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing byte string.
 *
 * data[0 … len-1] are the bytes; after the first addition data[len] is a NUL that is not
 * counted, so text can be passed on as a C string (use strbuf_str, which handles the
 * empty buffer).  The bytes may hold NULs.  An all-zero strbuf is an empty one.
 */
#ifndef STRBUF_H
#define STRBUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/printf_like.h"

struct strbuf {
	char *data;
	size_t len, cap;
};

void strbuf_release(struct strbuf *sb);
void strbuf_clear(struct strbuf *sb);

/* The content as a C string, never NULL; valid until the next change. */
const char *strbuf_str(const struct strbuf *sb);

/* Hands the content over to the caller, who frees it; the strbuf is empty afterwards. */
char *strbuf_detach(struct strbuf *sb);

void strbuf_add(struct strbuf *sb, const void *bytes, size_t len);
void strbuf_addstr(struct strbuf *sb, const char *text);
void strbuf_addch(struct strbuf *sb, char c);
/*
 * The C library counts in an int: text of 2 GiB or more ends the program.  So add
 * unbounded text by the calls above.
 */
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strbuf_addfv(struct strbuf *sb, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);

/* COUNT times C. */
void strbuf_pad(struct strbuf *sb, char c, size_t count);

/* Adds LEN bytes for the caller to fill (a read into place); returns their start. */
char *strbuf_add_room(struct strbuf *sb, size_t len);

/* Cuts it to LEN, at most its length. */
void strbuf_truncate(struct strbuf *sb, size_t len);

/* Encoded as in varint.h. */
void strbuf_add_varint(struct strbuf *sb, uint64_t value);

#endif
