/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of er_print.  Each is a constant in the file that does its work, and has
 * one line in the array of command.c; help, completion, the parsing of arguments and the
 * check of the manual all go by these.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/session.h"
#include "base/strbuf.h"

/* What a command gives back besides 0; its sentence is in ERR. */
enum {
	CMD_FAILED = -1, /* it cannot be done: exit status 1 */
	CMD_USAGE = -2,  /* it was not understood: exit status 2 */
};

struct cmd {
	const char *name;
	/* one word an argument; in brackets: may be left out.  "" for none */
	const char *args;
	const char *help;
	/* what the first argument may be, with blanks between; NULL: anything */
	const char *values;
	/* ARGV has ARGC words, as many as ARGS allows */
	int (*run)(struct session *s, int argc, char **argv, struct strbuf *err);
	/*
	 * The commands that compare such rows; set if this one adds up both sides, and so
	 * is refused unless compare is off
	 */
	const char *comparable;
	bool alone;    /* works without an experiment */
	bool setting;  /* changes but how views look: may stand in .er.rc */
	bool verbatim; /* its argument is the rest of the line, with its quotes */
};

/* All of them, by name; NULL at the end. */
extern const struct cmd *const commands[];

/*
 * The command that WORD is, or the only one that begins so.  0, or CMD_USAGE with a
 * sentence in ERR that names the candidates.
 */
int command_find(const char *word, const struct cmd **out, struct strbuf *err)
	__attribute__((warn_unused_result));

/* How many words it takes. */
void command_arity(const struct cmd *cmd, int *least, int *most);

/* The INDEX-th of its values with its length; NULL: it has no more. */
const char *command_value(const struct cmd *cmd, size_t index, size_t *len);

/* Whether WORD is one of its values. */
bool command_has_value(const struct cmd *cmd, const char *word);

/* Runs it with these words, counted first. */
int command_run(struct session *s, const struct cmd *cmd, int argc, char **argv,
		struct strbuf *err) __attribute__((warn_unused_result));

/* A whole number in words; false where it is none, or above INT_MAX. */
bool command_number(const char *word, size_t *out);

/* CMD_FAILED with "what: strerror" in ERR where ERROR is not 0, else 0. */
int command_status(int error, const char *what, struct strbuf *err);

#endif
