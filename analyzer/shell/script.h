/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands as lines of text: one command a line, words separated by blanks, quotes ("…"
 * or '…') around a word with blanks, comments from '#' on.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdio.h>

#include "session/cmd.h"
#include "session/session.h"
#include "base/strbuf.h"

/* Runs one line.  0 or a CMD_… code with a sentence in ERR; *CMD: its command, or NULL. */
int script_line(struct session *s, const char *line, const struct cmd **cmd,
		struct strbuf *err) __attribute__((warn_unused_result));

/* The same if it is a setting. */
int script_setting(struct session *s, const char *line, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Refuses a line of a file, LEN bytes, with a NUL: 0, or CMD_USAGE with a sentence in
 * ERR.
 */
int script_check(const char *line, size_t len, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Runs all lines of FILE, until one quits.  One that fails is reported, with NAME and its
 * number, and the others run.  0, or a CMD_… code with a sentence in ERR: FILE cannot be
 * read, or CMD_LOST.
 */
int script_run(struct session *s, FILE *file, const char *name, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
