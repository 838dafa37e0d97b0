/* SPDX-License-Identifier: Apache-2.0 */
/* The labels of a recording: what a batch system says of the job, and --label. */
#ifndef LABELS_H
#define LABELS_H

#include "experiment/log.h"
#include "options/options.h"

/* The user's replace those of the environment. */
void labels_fill(struct exp_log *log, const struct options *opt);

#endif
