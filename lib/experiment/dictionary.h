/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds rows from a block to the dictionaries of an experiment.  Each id in a row is
 * checked here, so users of the experiment need not: it refers to an earlier row, and a
 * node's parent comes before the node.
 */
#ifndef EXP_DICTIONARY_H
#define EXP_DICTIONARY_H

#include "experiment/experiment.h"

/* Appends ROWS to EXP.  0, or EXP_BLOCK_DAMAGED, with the rows before the bad one taken.
 */
typedef int exp_dictionary_fn(struct experiment *exp, const struct exp_rows *rows);

/* The function for rows of TABLE, any number; NULL: it is unknown, or no dictionary. */
exp_dictionary_fn *exp_dictionary_taker(unsigned table);

#endif
