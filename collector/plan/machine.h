/* SPDX-License-Identifier: Apache-2.0 */
/* What machine this is, for the experiment's log. */
#ifndef MACHINE_H
#define MACHINE_H

#include "experiment/log.h"

/* Fills the machine fields of LOG.  ROOT is put before /proc and /sys. */
void machine_describe(struct exp_log *log, const char *root);

#endif
