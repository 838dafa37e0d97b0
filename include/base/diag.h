/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs tell a person, on stderr: "PROGRAM: text".
 *
 * Leaves never call this: they return a code, and the caller that knows the file, the
 * offset and the event speaks once.  The text is one plain sentence that names the thing
 * and, for an error, the remedy.  No trailing newline: diag adds it.
 */
#ifndef DIAG_H
#define DIAG_H

#define DIAG_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* The name before the colon; borrowed, must live as long as the program. */
void diag_set_program(const char *name);

/* "collect: error: …": the program cannot do what was asked. */
void diag_error(const char *fmt, ...) DIAG_PRINTF(1, 2);

/* "collect: warning: …": done, but the result is not what one may think. */
void diag_warn(const char *fmt, ...) DIAG_PRINTF(1, 2);

/* "collect: …": what was done. */
void diag_note(const char *fmt, ...) DIAG_PRINTF(1, 2);

/*
 * Calls FN with CTX when memory runs out, or a text cannot be formatted.  FN must not return or allocate; if it
 * allocates, the program ends as it would without FN.  NULL: no handler.
 */
void diag_on_oom(void (*fn)(void *ctx), void *ctx);

/* Out of memory: says so and exits with 1.  Never returns. */
_Noreturn void diag_die_oom(void);

/* The same for a text that the C library cannot format. */
_Noreturn void diag_die_format(void);

#endif
