/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what is available for each requested event: the hardware counter, else the
 * kernel's cpu-clock, else an error; the clock only for events that mean time.
 *
 * Each is tried on ourselves, before anything is created or started.  Whatever had to be
 * given up (kernel samples, the counter itself) is reported, with the command that would
 * help.
 *
 * Groups are tried as a whole (group_trial.h), and keep their counters: a clock cannot
 * replace one of them.
 */
#ifndef LADDER_H
#define LADDER_H

#include <stdbool.h>
#include <stdint.h>

#include "events/event.h"
#include "base/strbuf.h"
#include "sample/sys.h"
#include "base/vec.h"

/*
 * Features of newer kernels; those that the running one refuses are left out of every
 * attr.
 */
enum attr_feature {
	ATTR_BUILD_ID = 1 << 0,       /* 5.12: build-ids in mmap records */
	ATTR_INHERIT_THREAD = 1 << 1, /* 5.13: follow threads, not processes */
	ATTR_LOST = 1 << 2,           /* 6.0: how many samples of each event were lost */
	ATTR_WEIGHTS = 1 << 3,        /* 5.12: several weights, one of them a latency */
	ATTR_INHERIT_READ = 1 << 4,   /* 6.12: inherited events are read in samples */
	ATTR_CGROUP = 1 << 5,         /* 5.7: control groups, in samples and when made */
};

/* The `asked` of the default event. */
#define LADDER_DEFAULT "(default)"

/* One event as it will be opened. */
struct rung {
	struct event event;     /* the one to open; its `asked` is the request */
	char *reason;           /* why it is the clock instead; NULL: it is not */
	bool kernel;            /* samples of the kernel too */
	unsigned precise_asked; /* precise_ip, by the user or by default */
	bool waits;             /* collect -w needs its samples: no metric */
	char *precision_note;   /* reports that the user asked for more; or NULL */
};

struct ladder {
	VEC(struct rung) rungs;
	unsigned features; /* enum attr_feature */
	char *kernel_note; /* why there are no kernel samples; NULL: there are */
};

/*
 * Tries EVENTS.  NOMINAL_HZ: the CPU's rate, which converts a period in cycles to one of
 * the clock; 0: unknown.  STRICT: no clock instead of a counter.  0, or a negative errno
 * with one sentence in ERR; release LADDER either way.
 */
int ladder_climb(struct ladder *ladder, const struct sys *sys,
		 const struct event_list *events, double nominal_hz, bool strict,
		 struct strbuf *err) __attribute__((warn_unused_result));

/*
 * Adds collect's own event to LADDER, which has its others: the context switches, each of
 * which is sampled with the stack at which the thread gives up its CPU.  If the user has that
 * event, it serves both.  False if that is not allowed; then REASON says why.
 */
bool ladder_add_switches(struct ladder *ladder, const struct sys *sys,
			 struct strbuf *reason);

/*
 * And major page faults, each of which is sampled with its address, where that is allowed and the
 * user has no such event.
 */
void ladder_add_faults(struct ladder *ladder, const struct sys *sys);

/*
 * The additional bits of sample_type if a counter was requested with the addresses of its
 * data.  A ring's records have one format, so they apply to all events.
 */
uint64_t ladder_sample_type(const struct ladder *ladder);

/* Its name in a sentence: the user's, or its label. */
const char *ladder_name(const struct event *event);

void ladder_release(struct ladder *ladder);

/*
 * Whether this machine's counters can be used: 0, or a negative errno after adding the
 * reason and the remedy to WHY, if that is not NULL.
 */
int ladder_probe_counters(const struct sys *sys, struct strbuf *why)
	__attribute__((warn_unused_result));

#endif
