/* SPDX-License-Identifier: Apache-2.0 */
/* Which options exclude each other, and which need others. */
#ifndef OPTIONS_CHECK_H
#define OPTIONS_CHECK_H

#include "base/strbuf.h"
#include "options/options.h"

/*
 * Checks what was parsed, and sets what follows from it, such as the action.  LAST is the
 * option whose argument is the last word, or NULL.  0, or -EINVAL with one sentence in ERR.
 */
int options_check(struct options *opt, const char *last, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
