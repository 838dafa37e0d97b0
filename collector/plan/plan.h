/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the user's request into events to open: resolves the names and tries each event.
 * Nothing is created or started yet.
 */
#ifndef PLAN_H
#define PLAN_H

#include "experiment/state.h"
#include "sample/ladder.h"
#include "options/options.h"
#include "base/strbuf.h"
#include "sample/sys.h"
#include "sample/waking.h"

struct plan {
	struct ladder ladder;
	struct event_list sockets; /* events that count for the whole machine */
	bool by_default;           /* the user named no event */
	struct waking waking;      /* who ends waits, if it wakes */
	bool wakes;
	char *wakers_note; /* why it is not known; NULL: it is, or nobody wants it */
	char *waits_note; /* why short waits have no stack; NULL: they have, or none are recorded */
};

enum plan_error {
	PLAN_NOT_UNDERSTOOD = -1, /* the user's text */
	PLAN_NOT_HERE = -2,       /* this machine does not have that event */
};

/*
 * 0 or an enum plan_error, with one sentence in ERR.  Release either way.  NOMINAL_HZ: of
 * the CPU; 0: unknown.
 */
int plan_make(struct plan *plan, const struct options *opt, const struct sys *sys,
	      double nominal_hz, struct strbuf *err) __attribute__((warn_unused_result));

void plan_release(struct plan *plan);

/* Numbers of events, for collect -w. */
struct plan_states {
	uint32_t events[EXP_STATES]; /* of the recording, by state */
	/* opened: those whose samples have the stacks of switches, and the addresses of major
	 * page faults; WAITING_NO_EVENT: none */
	uint32_t switches, faults;
	bool keeps; /* switches: it is the user's event */
};
struct plan_states plan_states(const struct plan *plan);

/* The plan in lines, for -n and -v. */
void plan_text(const struct plan *plan, const struct options *opt, struct strbuf *out);

#endif
