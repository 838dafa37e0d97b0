/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs tell a person, on stderr: "PROGRAM: text" (program.h).
 *
 * Leaves never call this: they return a code, and the caller that knows the file, the
 * offset and the event speaks once.  The text is one plain sentence that names the thing
 * and, for an error, the remedy.  No trailing newline: diag adds it.
 */
#ifndef DIAG_H
#define DIAG_H

#include "base/printf_like.h"

/* "collect: error: …": the program cannot do what was asked. */
void diag_error(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* "collect: warning: …": done, but the result is not what one may think. */
void diag_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* "collect: …": what was done. */
void diag_note(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
