/* SPDX-License-Identifier: Apache-2.0 */
/* C++'s operators whose names have characters that look like brackets. */
#ifndef OPERATOR_NAME_H
#define OPERATOR_NAME_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool name_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/* Whether the word "operator" is at AT. */
static inline bool name_has_operator(const char *name, const char *at)
{
	return !strncmp(at, "operator", 8) && (at == name || !name_is_word(at[-1])) &&
	       !name_is_word(at[8]);
}

/* The length of such an operator's name at AT ("operator<<"), 0 if there is none. */
static inline size_t name_operator_len(const char *name, const char *at)
{
	static const char *const signs[] = { "<=>", "<<=", ">>=", "->*", "<<", ">>",
					     "<=",  ">=",  "->",  "()",  "<",  ">" };

	if (!name_has_operator(name, at))
		return 0;
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) /* longest first */
		if (!strncmp(at + 8, signs[i], strlen(signs[i])))
			return 8 + strlen(signs[i]);
	return 0;
}

#endif
