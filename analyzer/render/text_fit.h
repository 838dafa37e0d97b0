/* SPDX-License-Identifier: Apache-2.0 */
/* Fits text into a line.  All of it is valid UTF-8, a column a code point. */
#ifndef TEXT_FIT_H
#define TEXT_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* The omitted part of a text, and its MARK: "…", or the terminal's substitute. */
struct text_cut {
	bool at_end; /* else in the middle: both ends of names matter */
	const char *mark;
	const char *kept; /* this stays, with the number behind it; NULL: nothing */
};

/* The least room for a text with KEPT. */
#define TEXT_KEPT_MIN 16

/* TEXT, shortened if it is longer than ROOM, which is at least 3 longer than the mark. */
void text_put_shortened(struct strbuf *out, const char *text, size_t room,
			struct text_cut cut);

/*
 * TEXT in lines of at most WIDTH columns.  The first INDENT columns are taken: by the
 * text before the first line, and by blanks before the others.  A longer word stays
 * whole.  WIDTH 0: one line.
 */
void text_put_wrapped(struct strbuf *out, const char *text, size_t indent, size_t width);

/* Ends the line that begins at START of OUT, without the blanks at its end; one of blanks
 * alone is dropped. */
void text_end_line(struct strbuf *out, size_t start);

#endif
