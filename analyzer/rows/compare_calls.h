/* SPDX-License-Identifier: Apache-2.0 */
/* Callers and callees of two groups of runs, as callers-callees shows one. */
#ifndef COMPARE_CALLS_H
#define COMPARE_CALLS_H

#include "session/session.h"
#include "base/strbuf.h"

/*
 * For the fragment's functions, at least one, each the caller of the next; NULL: for all
 * functions.  Shares are of the side's total.  0 or a CMD_… code.
 */
int compare_calls_show(struct session *s, const struct fragment *fragment,
		       struct strbuf *err) __attribute__((warn_unused_result));

#endif
