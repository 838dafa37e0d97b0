/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows as they stand in a block, into the dictionaries of an experiment.  Each id that a
 * row tells is checked here, so that whoever has the experiment need not: it is of what
 * was taken before, and a node's parent comes before the node.
 */
#ifndef EXP_DICTIONARY_H
#define EXP_DICTIONARY_H

#include "experiment/experiment.h"

/* Appends ROWS to EXP.  0, or EXP_BLOCK_DAMAGED, with the rows before the bad one taken.
 */
typedef int exp_dictionary_fn(struct experiment *exp, const struct exp_rows *rows);

/* What takes the rows of TABLE, any number; NULL: it is not known, or no dictionary. */
exp_dictionary_fn *exp_dictionary_taker(unsigned table);

#endif
