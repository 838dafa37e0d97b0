/* SPDX-License-Identifier: Apache-2.0 */
/* Counts that no sample represents. */
#ifndef UNSAMPLED_H
#define UNSAMPLED_H

#include <stdbool.h>

#include "experiment/read.h"

/* NODE is not 0. */
bool node_is_unsampled(const struct experiment *exp, size_t node);

/* By node: whether a row there is such a count, and no sample.  The caller frees it. */
bool *unsampled_nodes(const struct experiment *exp);

/* Whether row I is no such count: a sample, or a wait, which has a time without a stack too. */
bool is_sample(const struct experiment *exp, const bool *unsampled,
	       const struct exp_samples *s, size_t i);

#endif
