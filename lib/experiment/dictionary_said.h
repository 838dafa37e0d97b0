/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For dictionary.c: rows of what programs say, and of when the recording went on because
 * they, or the user, said so.  Each is an exp_dictionary_fn.
 */
#ifndef EXP_DICTIONARY_SAID_H
#define EXP_DICTIONARY_SAID_H

#include "experiment/experiment.h"

int exp_take_region_paths(struct experiment *exp, const struct exp_rows *rows);
int exp_take_regions(struct experiment *exp, const struct exp_rows *rows);
int exp_take_region_faults(struct experiment *exp, const struct exp_rows *rows);
int exp_take_marks(struct experiment *exp, const struct exp_rows *rows);
int exp_take_spans(struct experiment *exp, const struct exp_rows *rows);
int exp_take_points(struct experiment *exp, const struct exp_rows *rows);
int exp_take_point_counts(struct experiment *exp, const struct exp_rows *rows);

#endif
