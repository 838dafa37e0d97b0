/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What compiling a POSIX extended regular expression costs the C library, computed from
 * its text alone.  regcomp has no bound of its own: it copies the parts that x+ and x{N,M}
 * repeat (posix/regcomp.c, parse_dup_op), and walks all ways on which the text can be
 * passed without a character (calc_eclosure), again and again where a loop's body may be
 * empty: some ten characters can take hours.
 */
#ifndef FILTER_REGEX_COST_H
#define FILTER_REGEX_COST_H

#include <stdbool.h>

struct regex_cost {
	unsigned long parts; /* characters, sets and groups, after all copying */
	unsigned long ways;  /* through the choices that may be empty; 1: none */
	bool empty;          /* may be passed without a character: a?, ^, \b */
	bool loops_nothing;  /* a loop has such a body: (a?)+ */
	bool too_deep;       /* more than REGEX_DEPTH_MAX; the rest was not read */
};

enum {
	REGEX_PARTS_MAX = 1024,
	REGEX_WAYS_MAX = 128, /* time and memory grow with its cube: 300 take 2 s */
	REGEX_DEPTH_MAX = 50, /* of parentheses */
};

/*
 * Texts that regcomp refuses have some cost, too: what matters is that no text costs more
 * than its answer.
 */
struct regex_cost regex_cost(const char *text);

#endif
