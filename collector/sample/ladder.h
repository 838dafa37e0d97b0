/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What can be had for each event that was asked for: hardware counter, else the kernel's
 * cpu-clock, else an error; the clock only for events that mean time.
 *
 * Each is tried out on ourselves, before anything is created or started.  What was given
 * up on the way (kernel samples, the counter itself) is told in words, with the command
 * that would help.
 *
 * Groups are tried as a whole (group_trial.h), and keep their counters: a clock cannot
 * take the place of one of them.
 */
#ifndef LADDER_H
#define LADDER_H

#include <stdbool.h>
#include <stdint.h>

#include "events/event.h"
#include "base/strbuf.h"
#include "sample/sys.h"
#include "base/vec.h"

/* What newer kernels take; what the running one refuses is left out of every attr. */
enum attr_feature {
	ATTR_BUILD_ID = 1 << 0,       /* 5.12: build-ids in mmap records */
	ATTR_INHERIT_THREAD = 1 << 1, /* 5.13: follow threads, not processes */
	ATTR_LOST = 1 << 2,           /* 6.0: how many samples of each event were lost */
	ATTR_WEIGHTS = 1 << 3,      /* 5.12: several weights, of which one is a latency */
	ATTR_INHERIT_READ = 1 << 4, /* 6.12: inherited events are read in samples */
};

/* The `asked` of the event that is taken where the user named none. */
#define LADDER_DEFAULT "(default)"

/* One event as it will be opened. */
struct rung {
	struct event event;     /* what was got; its `asked` is what was asked for */
	char *reason;           /* why the clock was got instead; NULL where it was not */
	bool kernel;            /* samples of the kernel too */
	unsigned precise_asked; /* precise_ip, by the user or by default */
	char *precision_note;   /* says that the user asked for more; or NULL */
};

struct ladder {
	VEC(struct rung) rungs;
	unsigned features; /* enum attr_feature */
	char *kernel_note; /* why there are no kernel samples; NULL where there are */
};

/*
 * Tries EVENTS out.  NOMINAL_HZ: the CPU's rate, by which a period in cycles becomes one
 * of the clock; 0: not known.  STRICT: no clock instead of a counter.  0; or a negative
 * errno with one sentence in ERR, and LADDER is to be released all the same.
 */
int ladder_climb(struct ladder *ladder, const struct sys *sys,
		 const struct event_list *events, double nominal_hz, bool strict,
		 struct strbuf *err) __attribute__((warn_unused_result));

/*
 * What samples carry besides, where a counter was asked for with the addresses of its
 * data: bits of sample_type.  A ring's records are alike, so they are of all events.
 */
uint64_t ladder_sample_type(const struct ladder *ladder);

/* What to call it in a sentence: as the user did, or by its label. */
const char *ladder_name(const struct event *event);

void ladder_release(struct ladder *ladder);

/*
 * Whether this machine's counters can be used: 0, or a negative errno after adding the
 * reason and the remedy to WHY, if that is not NULL.
 */
int ladder_probe_counters(const struct sys *sys, struct strbuf *why)
	__attribute__((warn_unused_result));

#endif
