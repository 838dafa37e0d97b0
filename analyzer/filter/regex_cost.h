/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What compiling a POSIX extended regular expression costs the C library, computed from
 * its text alone.  regcomp has no bound of its own: it copies the parts that x+ and x{N,M}
 * repeat (posix/regcomp.c, parse_dup_op), and walks all ways on which the text can be
 * passed without a character (calc_eclosure), again and again where a loop's body may be
 * empty.
 */
#ifndef FILTER_REGEX_COST_H
#define FILTER_REGEX_COST_H

#include <stdbool.h>

struct regex_cost {
	unsigned long parts;  /* characters, sets and groups, after all copying */
	unsigned long looped; /* the parts in loops with a body that may be empty */
	unsigned long ways; /* through the loops and choices that may be empty; 1: none */
	bool empty;         /* the empty text fits */
	bool place;         /* it has ^, $, \b or another place between characters */
	bool place_in_loop; /* in one that may be empty: seconds for a few characters */
};

enum {
	REGEX_PARTS_MAX = 1024,
	REGEX_WAYS_MAX = 1024,
	REGEX_LOOPED_MAX = 16384, /* such parts, times all */
	REGEX_DEPTH_MAX = 50,     /* of parentheses */
};

/*
 * Whether TEXT costs less than the limits above.  Texts that regcomp refuses have some
 * cost, too: what matters is that no text costs more than its answer.
 */
bool regex_is_cheap(const char *text);

#endif
