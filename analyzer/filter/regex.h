/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions of a filter: POSIX extended, for whole names, bounded. */
#ifndef FILTER_REGEX_H
#define FILTER_REGEX_H

#include <regex.h>
#include <stdbool.h>

#include "base/strbuf.h"

enum {
	FILTER_REGEX_MAX = 1024, /* bytes */
};

/*
 * NULL with a sentence in ERR if TEXT is no regex, or could take unbounded time or
 * memory: regex_cost.h computes what compiling it takes, and \1 is matched by trying.  The
 * caller releases it with regfree and free.
 */
regex_t *filter_regex(const char *text, struct strbuf *err);

bool filter_regex_fits(const regex_t *regex, const char *text);

#endif
