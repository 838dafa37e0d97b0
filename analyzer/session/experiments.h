/* SPDX-License-Identifier: Apache-2.0 */
/* Opens experiments by the user's words. */
#ifndef EXPERIMENTS_H
#define EXPERIMENTS_H

#include <stdint.h>

#include "session/session.h"
#include "base/strbuf.h"

/*
 * Opens WORD as a group: an experiment, a recording of perf, or several of them with
 * commas between them.  Warns of trouble with their data.  0, or CMD_FAILED with a
 * sentence in ERR; those before the one that failed are then open.
 */
int experiments_open(struct session *s, const char *word, uint32_t group,
		     struct strbuf *err) __attribute__((warn_unused_result));

/*
 * Whether each of several experiments in WORD can be read, before any is opened: 0, or as
 * above.  A single one is not checked, as experiments_open leaves nothing of it behind.
 */
int experiments_check(const struct session *s, const char *word, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * The experiment whose number is the only word, or all of them without one: indices in
 * [*FIRST, *END).  0, or CMD_USAGE with a sentence in ERR.
 */
int experiments_chosen(const struct session *s, int argc, char **argv, size_t *first,
		       size_t *end, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Warns of each from index FIRST on that is a repetition: it counts as often as it is named,
 * as compare may need it on both sides.  And of counters that shared their registers much
 * more in one experiment than in another.
 */
void experiments_warn(const struct session *s, size_t first);

#endif
