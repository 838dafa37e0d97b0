/* SPDX-License-Identifier: Apache-2.0 */
/* Reads text by lines (/proc, perf maps), in place and within bounds. */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of text, not NUL-terminated; borrowed. */
struct text {
	const char *at, *end;
};

static inline size_t text_len(const struct text *text)
{
	return (size_t)(text->end - text->at);
}

/* Takes the next line, without its newline, off REST; false at the end. */
bool text_line(struct text *rest, struct text *line);

/* Takes the text before C, and C, off REST; all of it if there is no C. */
struct text text_until(struct text *rest, char c);

/* The whole of TEXT as a hex number, with or without "0x"; false for anything else. */
bool text_hex(struct text text, uint64_t *out);

#endif
