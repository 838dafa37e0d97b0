/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a function by the user's name for it. */
#ifndef FUNCTION_MATCH_H
#define FUNCTION_MATCH_H

#include "session/session.h"

/*
 * The function that the words "F [N]" of a command name.  F is its name, or any part of it
 * (function_spelling.h); the strictest spelling that any function fits is used.  If several
 * fit, N (from 1, in the order of the functions view) chooses.  The next table's note says
 * if only letters within words fit.
 *
 * 0, or CMD_FAILED with a sentence in ERR: the nearest names, or the ones to choose from.
 */
int function_argument(struct session *s, int argc, char **argv, uint32_t *out,
		      struct strbuf *err) __attribute__((warn_unused_result));

#endif
