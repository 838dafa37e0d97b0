/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's name, with which its messages begin, and its end when memory runs out.
 * The lowest module of all: it allocates nothing.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

/* NAME is borrowed, and must live as long as the program. */
void program_set_name(const char *name);
const char *program_name(void);

/*
 * Calls FN with CTX when memory runs out, or a text cannot be formatted.  FN must not
 * return or allocate; if it allocates, the program ends as it would without FN.  NULL: no
 * handler.
 *
 * FN is for this thread.  In any other the thread alone ends, as if it hung: only what it was
 * doing is lost, and whoever started it must be able to go on without its answer.
 */
void program_on_oom(void (*fn)(void *ctx), void *ctx);

/* Calls FN with CTX before this thread ends so: it can say that there will be no answer. */
void program_on_thread_oom(void (*fn)(void *ctx), void *ctx);

/* Reports that memory ran out, and exits with 1.  Its type must be libdw's Dwarf_OOM. */
void program_die_oom(void) __attribute__((noreturn));

/* The same for a text that the C library cannot format. */
_Noreturn void program_die_format(void);

#endif
