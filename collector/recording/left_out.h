/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Things that a recording counted but did not keep: a target can create them without end,
 * so each kind has a bound, far beyond what programs reach.
 */
#ifndef LEFT_OUT_H
#define LEFT_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "experiment/log.h"
#include "recording/recording.h"
#include "base/strbuf.h"

struct symbols_left_out; /* process/symbol_writer.h */

void left_out_count_symbols(struct recording *rec, const struct symbols_left_out *left);

/* Sets the counts in LOG. */
void left_out_fill(const struct recording *rec, struct exp_log *log);

/* Adds a sentence about that kind to OUT; false: none was left out. */
bool left_out_say(const struct exp_log *log, size_t kind, struct strbuf *out);

#endif
