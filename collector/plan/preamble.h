/* SPDX-License-Identifier: Apache-2.0 */
/* What log.json says before anything is recorded: who records what, and by which events.
 */
#ifndef PREAMBLE_H
#define PREAMBLE_H

#include "experiment/log.h"
#include "options/options.h"
#include "plan/plan.h"
#include "adapt/sockets.h"
#include "sample/sys.h"

/* The command, or that of the process that is attached to, and what was asked for. */
void preamble_start(struct exp_log *log, const struct options *opt,
		    const struct sys *sys);

/* The events; says on stderr, too, where they are not as one may expect. */
void preamble_plan(struct exp_log *log, const struct plan *plan,
		   const struct sockets *sockets);

#endif
