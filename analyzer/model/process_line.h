/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of a process as text: each argument in quotes that needs them, as in a
 * shell, which distinguishes them.  An only argument never has quotes: it is a program
 * without arguments, or the title that a server gave itself.
 */
#ifndef PROCESS_LINE_H
#define PROCESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/experiment.h"
#include "base/strbuf.h"

/* Adds WORD as an argument to a command line in OUT. */
void process_line_add(struct strbuf *out, const char *word);

/* Replaces OUT by it, with "..." if more was not read; empty: it is unknown. */
void process_line_get(const struct experiment *exp, uint32_t process, struct strbuf *out);

/* The number of its arguments, from the program's name on; 0: unknown. */
size_t process_line_count(const struct experiment *exp, uint32_t process);

#endif
