/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from anywhere: names, paths and labels of a recording that somebody sent.  Some
 * characters control a terminal, some cells are formulas to a spreadsheet, and some text
 * is displayed in a different order.
 *
 * So this text has its own type, which no print function accepts.  Each medium has one
 * function below that makes it safe, and t0-layering fails if another file looks inside.
 */
#ifndef FOREIGN_H
#define FOREIGN_H

#include <stdbool.h>

#include "base/strbuf.h"

struct foreign {
	const char *inside; /* borrowed; NULL: no text */
};

static inline struct foreign foreign(const char *text)
{
	return (struct foreign){ text };
}

static inline bool foreign_is_any(struct foreign text)
{
	return text.inside != NULL;
}

bool foreign_same(struct foreign a, struct foreign b);

/*
 * For people, in a terminal or a file.  Invalid UTF-8 becomes U+FFFD; characters that
 * control a terminal, break a line, are invisible, or change the direction of the text
 * become '?'.
 */
void foreign_put(struct strbuf *out, struct foreign text);

/* The same for HTML, with references for its special characters. */
void foreign_put_html(struct strbuf *out, struct foreign text);

/*
 * The same as a field of CSV, in quotes if it has SEPARATOR or a quote.  An apostrophe
 * precedes text that a spreadsheet would treat as a formula: = + - @ first, or their wide
 * forms.
 */
void foreign_put_csv(struct strbuf *out, struct foreign text, char separator);

/*
 * The same as a string of JSON, with its quotes: exact except for invalid UTF-8.
 * Characters that foreign_put would replace are written as \u….
 */
void foreign_put_json(struct strbuf *out, struct foreign text);

#endif
