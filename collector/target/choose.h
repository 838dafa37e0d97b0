/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which running processes a word of -P means: a number, or a name.
 *
 * A name is that of processes whose comm is this, or whose program: the last part of the
 * command line's first word.  If there are none, of those with such a word anywhere in
 * their command lines: scripts, classes, titles of servers or, if NAME has several words,
 * the begin of such a title.  It may have *, ? and […].
 */
#ifndef CHOOSE_H
#define CHOOSE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "process/proc_list.h"

/* Whether that word is a number. */
bool choose_is_number(const char *word);

/*
 * Adds to PIDS the processes of that name, but neither collect nor, for a word of command
 * lines, those that it was started by; OWN: only this user's, unless all are others'.
 * ROOT precedes /proc.  0, or -ESRCH with one sentence in ERR.
 */
int choose_by_name(const char *root, const char *name, bool own, pid_vec *pids,
		   struct strbuf *err) __attribute__((warn_unused_result));

/*
 * Adds "PID comm" of the first few of PIDS, and how many are left.  Replaces characters
 * that control a terminal.
 */
void choose_list(const char *root, const pid_vec *pids, struct strbuf *out);

#endif
