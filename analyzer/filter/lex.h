/* SPDX-License-Identifier: Apache-2.0 */
/* Splits the text of a filter into words, for parse.c. */
#ifndef FILTER_LEX_H
#define FILTER_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum token_kind {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_WORD,
	TOKEN_STRING, /* in "…" or '…'; a \ before its quote */
	TOKEN_SIGN,   /* an operator, a parenthesis, a comma */
	TOKEN_BAD,
};

struct filter_token {
	enum token_kind kind;
	const char *at; /* in the text, borrowed */
	size_t len;
	int64_t number;
	bool share; /* NUMBER is a decimal, in parts of FILTER_SHARE */
};

/*
 * The token at TEXT, behind blanks; a number with a unit (ns us ms s m) is in ns.  A
 * fraction without a unit makes it a share.
 */
struct filter_token filter_next(const char *text);

/* Whether it is this word or sign. */
int filter_token_is(const struct filter_token *token, const char *text);

/* The content of a string. */
void filter_token_string(const struct filter_token *token, struct strbuf *out);

#endif
