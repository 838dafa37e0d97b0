/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How well a user's text names a function: from its name as displayed to letters within a
 * word of it.
 */
#ifndef FUNCTION_SPELLING_H
#define FUNCTION_SPELLING_H

#include "session/session.h"

/* From the strict to the lenient. */
enum spelling {
	SPELLING_WHOLE, /* as displayed, or the linker's */
	SPELLING_LONG,  /* with its parameters */
	SPELLING_SHORT, /* without */
	SPELLING_CLONE, /* without a compiler's suffix */
	SPELLING_FORTRAN,
	SPELLING_END,  /* the last words of the name: push_back, vector::push_back */
	SPELLING_WORD, /* any words of it */
	SPELLING_ARGUMENT,
	SPELLING_LETTERS,
	SPELLING_ANY_CASE,
	SPELLING_WORD_ANY_CASE,
	SPELLING_LETTERS_ANY_CASE,
	SPELLINGS,
};

/* The strictest of those below LIMIT by which TEXT names FUNCTION; LIMIT: none. */
enum spelling spelling_of(struct session *s, uint32_t function, const char *text,
			  enum spelling limit);

/* A note on a match by that spelling: "only letters within…", or NULL. */
const char *spelling_note(enum spelling spelling);

#endif
