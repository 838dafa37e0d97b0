/* SPDX-License-Identifier: Apache-2.0 */
/* Describes this machine for the experiment's log. */
#ifndef MACHINE_H
#define MACHINE_H

#include "experiment/log.h"

/* Fills the machine fields of LOG.  ROOT precedes /proc and /sys. */
void machine_describe(struct exp_log *log, const char *root);

#endif
