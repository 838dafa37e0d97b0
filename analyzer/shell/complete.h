/* SPDX-License-Identifier: Apache-2.0 */
/* What Tab completes at the prompt besides files. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <stddef.h>

#include "base/vec.h"
#include "session/session.h"

struct completions {
	VEC(char *) list;
};

/*
 * What may replace LINE from its byte START on, where its last word begins: commands,
 * their values, or functions, objects or metrics where the command takes them.  Names
 * with blanks are quoted.  The caller releases OUT, all-zero at first.
 */
void completions_find(struct completions *out, struct session *s, const char *line,
		      size_t start);
void completions_release(struct completions *completions);

#endif
