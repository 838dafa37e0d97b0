/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/demangle_short.h"

#include <stdbool.h>
#include <string.h>

#include "elf/operator_name.h"

/*
 * The text behind the '>' that closes the '<' at OPEN, or NULL.  In parentheses a '<' may
 * mean less-than, so only those outside count.
 */
static const char *behind_arguments(const char *name, const char *open)
{
	size_t depth = 0, parens = 0;

	for (const char *at = open; *at; at++) {
		size_t skip = name_operator_len(name, at);

		if (skip)
			at += skip - 1;
		else if (*at == '(')
			parens++;
		else if (*at == ')' && parens)
			parens--;
		else if (*at == '<' && !parens)
			depth++;
		else if (*at == '>' && !parens && at[-1] != '-' && !--depth)
			return at + 1;
	}
	return NULL;
}

/* Arguments follow a word, an ABI tag or Rust's "::"; else the bracket is a part. */
static bool opens_arguments(const char *name, const char *at)
{
	return *at == '<' && at > name &&
	       (name_is_word(at[-1]) || at[-1] == ']' || at[-1] == '}' || at[-1] == ':');
}

static void drop_colons(struct strbuf *out)
{
	if (out->len >= 2 && !memcmp(out->data + out->len - 2, "::", 2))
		strbuf_truncate(out, out->len - 2);
}

void demangle_strip_arguments(const char *name, struct strbuf *out)
{
	const char *at = name;

	while (*at) {
		size_t len = name_operator_len(name, at);
		const char *behind;
		bool arguments = !len && opens_arguments(name, at);

		strbuf_add(out, at, len);
		at += len;
		/* "operator<<<char>", and "operator< <int>" with a blank between. */
		if (len && *at == ' ' && at[1] == '<')
			at++;
		arguments = arguments || (len && *at == '<');
		behind = arguments ? behind_arguments(name, at) : NULL;
		if (behind) {
			drop_colons(out);
			at = behind;
		} else if (!len) {
			strbuf_addch(out, *at++);
		}
	}
}
