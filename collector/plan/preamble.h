/* SPDX-License-Identifier: Apache-2.0 */
/* The part of log.json before the recording: who records what, and by which events. */
#ifndef PREAMBLE_H
#define PREAMBLE_H

#include "experiment/log.h"
#include "options/options.h"
#include "plan/plan.h"
#include "adapt/sockets.h"

/* Logs the command and the request. */
void preamble_start(struct exp_log *log, const struct options *opt);

/* Logs the events, of states if WAITS; also reports unexpected ones on stderr. */
void preamble_plan(struct exp_log *log, const struct plan *plan,
		   const struct sockets *sockets, bool waits);

#endif
