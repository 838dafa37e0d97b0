/* SPDX-License-Identifier: Apache-2.0 */
/* The prompt: commands from a terminal, with history and completion. */
#ifndef PROMPT_H
#define PROMPT_H

#include "session/session.h"

/*
 * Reads commands until quit or the end of input; reports an error and continues.  The
 * history is kept in ringprof/history below XDG_STATE_HOME.
 */
void prompt_run(struct session *s);

#endif
