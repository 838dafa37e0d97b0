/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what the user asked for to what will be opened: the names understood, each event
 * tried out.  Nothing is created or started yet.
 */
#ifndef PLAN_H
#define PLAN_H

#include "sample/ladder.h"
#include "options/options.h"
#include "base/strbuf.h"
#include "sample/sys.h"

struct plan {
	struct ladder ladder;
	struct event_list sockets; /* what is counted for the whole machine */
	bool by_default;           /* the user named no event */
};

enum plan_error {
	PLAN_NOT_UNDERSTOOD = -1, /* the user's words */
	PLAN_NOT_HERE = -2,       /* what they mean cannot be had on this machine */
};

/*
 * 0 or an enum plan_error, with one sentence in ERR.  Release either way.  NOMINAL_HZ: of
 * the CPU, 0 for not known.
 */
int plan_make(struct plan *plan, const struct options *opt, const struct sys *sys,
	      double nominal_hz, struct strbuf *err) __attribute__((warn_unused_result));

void plan_release(struct plan *plan);

/* What would be done, in lines, for -n and -v. */
void plan_text(const struct plan *plan, const struct options *opt, struct strbuf *out);

#endif
