/* SPDX-License-Identifier: Apache-2.0 */
/* Counts that no sample represents. */
#ifndef UNSAMPLED_H
#define UNSAMPLED_H

#include <stdbool.h>

#include "experiment/experiment.h"

/* By node: whether a row there is such a count, and no sample.  The caller frees it. */
bool *unsampled_nodes(const struct experiment *exp);

#endif
