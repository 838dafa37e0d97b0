/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command of er_print: a constant in the file that does its work, with one line in the
 * array of shell/command.c; help, completion, the parsing of arguments and the check of
 * the manual all use these.
 */
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "session/session.h"

/* A command's return values besides 0; its sentence is in ERR. */
enum {
	CMD_FAILED = -1, /* it cannot be done: exit status 1 */
	CMD_USAGE = -2,  /* it was misunderstood: exit status 2 */
	/* nothing later can succeed, because the output is lost: exit status 1 */
	CMD_LOST = -3,
};

/* What the help lists together; see help.c. */
enum cmd_group {
	GROUP_LOOK,
	GROUP_FIND,
	GROUP_FILTER,
	GROUP_COMPARE,
	GROUP_EXPORT,
	GROUP_SET,
	CMD_GROUPS
};

struct cmd {
	const char *name;
	/* one word an argument; in brackets: may be left out.  "" for none */
	const char *args;
	const char *help;
	/* choices for the first argument, separated by blanks; NULL: anything */
	const char *values;
	enum cmd_group group;
	/* a line of a script, without trouble for most recordings; NULL: the name alone */
	const char *example;
	/* of an optional file, which may exist: ".html"; NULL: it takes none */
	const char *ending;
	/* ARGV has ARGC words, as many as ARGS allows */
	int (*run)(struct session *s, int argc, char **argv, struct strbuf *err);
	/*
	 * the commands that compare such rows; set if this one adds up both sides, so it
	 * is refused unless compare is off
	 */
	const char *comparable;
	bool alone;    /* works without an experiment */
	bool setting;  /* changes only the look of views: allowed in .er.rc */
	bool names;    /* its optional argument may be any word that names no file */
	bool verbatim; /* its last argument is the rest of the line, with its quotes */
};

/* Parses a whole number; false if WORD is none, or above INT_MAX. */
bool command_number(const char *word, size_t *out);

/* CMD_FAILED with "what: strerror" in ERR if ERROR is not 0, else 0. */
int command_status(int error, const char *what, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The same with CMD_LOST, for an ERROR of the output. */
int command_shown(struct session *s, int error, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Passes TABLE to the output, and empties it.  0, or CMD_LOST with a sentence in ERR.
 */
int command_show(struct session *s, struct table *table, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * A command (NULL: none was found) was refused or failed, and the others still run:
 * reports TEXT, once no pager owns the terminal, and keeps it for the JSON document.  The
 * first one decides the exit status.
 */
void command_mistaken(struct session *s, const struct cmd *cmd, int status,
		      const char *text);

/* As output_end_page; then reports what waited for the pager. */
int command_end_page(struct session *s) __attribute__((warn_unused_result));

#endif
