/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages to the user, on stderr: "PROGRAM: text" (program.h).
 *
 * Leaves never call this: they return a code, and the caller that knows the file, the
 * offset and the event reports once.  The text is one plain sentence that names the thing
 * and, for an error, the remedy.  No trailing newline: diag adds it.
 */
#ifndef DIAG_H
#define DIAG_H

#include "base/printf_like.h"

/* "collect: error: …": the program cannot do the task. */
void diag_error(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* "collect: warning: …": done, but the result may mislead. */
void diag_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* "collect: …": a result. */
void diag_note(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
