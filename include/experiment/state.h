/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The states of a thread that does not run.  Each is an event of the recording, whose
 * samples are waits: a weight in nanoseconds, exact, that ends at the sample's time.  The
 * event has the state's name as its metric, its label, and in `state`.
 *
 * The names are those of ringprof-experiment(5).
 */
#ifndef EXP_STATE_H
#define EXP_STATE_H

struct exp_event;

enum exp_state {
	EXP_STATE_WAIT, /* for a CPU */
	EXP_STATE_LOCK,
	EXP_STATE_DATAFAULT,
	EXP_STATE_TEXTFAULT,
	EXP_STATE_PAGEFAULT, /* of data or text: not known which */
	EXP_STATE_STOPPED,
	EXP_STATE_SLEEP,
	EXP_STATE_DISK,
	EXP_STATE_NETWORK,
	EXP_STATE_PIPE,
	EXP_STATE_POLL,
	EXP_STATE_CHILD,
	EXP_STATE_TIMER,
	EXP_STATE_OTHER,   /* waited; for what is not known */
	EXP_STATE_UNKNOWN, /* records are missing: whether it ran is not known */
	EXP_STATES,        /* one past the last */
};

struct exp_state_desc {
	const char *name, *label;
};

extern const struct exp_state_desc exp_states[EXP_STATES];

/* The state of that name; EXP_STATES: none. */
enum exp_state exp_state_find(const char *name);

/*
 * Makes the log's entry of STATE, without waits yet.  ASKED is what the user asked for.  The
 * log that gets it owns its strings.
 */
void exp_state_describe(struct exp_event *event, enum exp_state state, const char *asked);

#endif
