/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of er_print, found and run by name. */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "session/cmd.h"
#include "base/strbuf.h"

/* All of them, by name; NULL at the end. */
extern const struct cmd *const commands[];

/*
 * The command called WORD, or the only one with that prefix.  0, or CMD_USAGE with a
 * sentence in ERR that names the candidates.
 */
int command_find(const char *word, const struct cmd **out, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Whether WORD is the whole name of a command, or of an alias. */
bool command_is_whole(const char *word);

/*
 * Whether WORD is an index object of S and no command's whole name: as a command it means
 * indxobj WORD, even where it is a prefix of others.
 */
bool command_is_index(const struct session *s, const char *word);

/* The number of words that it takes. */
void command_arity(const struct cmd *cmd, int *least, int *most);

/* The INDEX-th of its values with its length; NULL: it has no more. */
const char *command_value(const struct cmd *cmd, size_t index, size_t *len);

/* Whether WORD is one of its values. */
bool command_has_value(const struct cmd *cmd, const char *word);

/* Runs it with these words, counted first. */
int command_run(struct session *s, const struct cmd *cmd, int argc, char **argv,
		struct strbuf *err) __attribute__((warn_unused_result));

/* Another tool's word for a command, by its INDEX; NULL: there are no more. */
const char *command_alias(size_t index);

#endif
