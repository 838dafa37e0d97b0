/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments by the words that the user names them with. */
#ifndef EXPERIMENTS_H
#define EXPERIMENTS_H

#include <stdint.h>

#include "session/session.h"
#include "base/strbuf.h"

/*
 * Opens WORD as a group: an experiment, a recording of perf, or several of them with
 * commas between them.  Warns of what is wrong with their data.  0, or CMD_FAILED with a
 * sentence in ERR; those before the one that failed are open then.
 */
int experiments_open(struct session *s, const char *word, uint32_t group,
		     struct strbuf *err) __attribute__((warn_unused_result));

/*
 * Warns of each from index FIRST on that stands before itself already.  It counts as
 * often as it is named, for compare may have it on either side.
 */
void experiments_warn_of_repeated(const struct session *s, size_t first);

#endif
