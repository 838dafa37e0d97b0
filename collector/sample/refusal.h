/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why the kernel refused an event, and the remedy, in words: from the errno of
 * perf_event_open(2), /proc and /sys.
 */
#ifndef REFUSAL_H
#define REFUSAL_H

#include "events/event.h"
#include "base/strbuf.h"
#include "sample/sys.h"

/* Adds "reason; remedy" to OUT, one sentence without a full stop. */
void refusal_explain(const struct sys *sys, const struct event *event, int error,
		     struct strbuf *out);

/* The same for samples of the kernel, if only those were refused. */
void refusal_explain_kernel(const struct sys *sys, struct strbuf *out);

#endif
