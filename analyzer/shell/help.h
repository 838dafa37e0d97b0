/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which the help shows commands: the most used first, then by groups. */
#ifndef HELP_H
#define HELP_H

#include "session/cmd.h"

typedef void help_begin_fn(void *ctx, const char *title);
typedef void help_command_fn(void *ctx, const struct cmd *cmd);

/* Calls BEGIN for each group, and COMMAND for each of its commands; each comes once. */
void help_walk(help_begin_fn *begin, help_command_fn *command, void *ctx);

#endif
