/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The waits of threads, as far as a perf.data file shows them.
 *
 * Times come from records of switches (perf record --switch-events) or, if there are none,
 * from samples of sched:sched_switch, which name the thread that leaves a CPU and the one that
 * gets it.  Stacks come from samples of the same tracepoint or of the context-switch event,
 * with a call chain; they stay samples of their event too.  Samples of sched:sched_waking
 * and sched_wakeup end waits before the thread gets a CPU; the former show by whom.
 *
 * A loss is passed on when it may have begun, not when the kernel reports it: what another
 * CPU's records showed meanwhile must not count as proven.
 */
#ifndef IMPORT_WAITS_H
#define IMPORT_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "experiment/log.h"
#include "import/context.h"
#include "sample/trace_format.h"
#include "recording/waiting.h"
#include "recording/wakers.h"

/* The last switch on a CPU, by sched:sched_switch: who got it. */
struct import_owner {
	uint32_t tid;
	uint64_t since_ns; /* from the recording's start; 0: not known */
};

/* Where the times come from. */
enum import_switches {
	IMPORT_SWITCHES_NONE,
	IMPORT_SWITCHES_RECORDS,
	IMPORT_SWITCHES_TRACED, /* sched:sched_switch */
};

/* What the data of a tracepoint of the scheduler has; fields that it lacks are of size 0. */
struct import_sched {
	struct trace_field current_pid; /* whose context it is */
	struct trace_field pid;         /* sched_waking, sched_wakeup: who */
	struct trace_field prev_state, next_pid;
	uint64_t asleep, stopped, dead; /* flags of prev_state */
};

struct import_waits {
	struct waiting waiting;
	enum import_switches source;
	struct import_sched sched[PERF_TRACED_KINDS];
	struct waking waking;  /* without its event */
	struct wakers wakers;  /* if it has a WAKING */
	uint32_t row;          /* of the first state; IMPORT_NO_ROW: no states */
	bool begun;            /* the events are known */
	bool partial;          /* fewer CPUs may be recorded than there are */
	bool ended;            /* no more records are used */
	const char *refused;   /* why none or no more are; NULL */
	VEC(uint64_t) seen_ns; /* by CPU: its last record, in the file's order */
	VEC(struct import_owner) owners; /* by CPU */
	uint64_t
		unseen; /* waits that ended without a record of the thread's getting a CPU */
	bool everyone;      /* the idle task has records, as threads of all processes */
	uint64_t lost_ns;   /* the end of losses that began before all else */
	uint64_t traced_ns; /* of the last sample */
	uint64_t woken;     /* waits that ended by a wake-up */
	bool totals;        /* samples of perf record --off-cpu */
};

struct import_waits *import_waits_new(void);
void import_waits_free(struct import_waits *w); /* may be NULL */

/* To be called for each of the kernel's records before it is sorted; the first begins. */
uint64_t import_waits_time(struct import *imp, const struct import_event *e,
			   const void *bytes, size_t len, uint64_t time);

/* R of the event E is about to be passed on, and was. */
void import_waits_before(struct import *imp, const struct import_event *e,
			 struct record *r);
void import_waits_after(struct import *imp, const struct import_event *e,
			const struct record *r);

/* All records were there. */
void import_waits_end(struct import *imp);

/* ---- for waits.c, whose states are on ---- */

/*
 * Tracepoints number threads as the machine does, samples as perf saw them.  In a container
 * these differ, and nobody knows which is which: false.
 */
bool import_traced_is_ours(const struct import *imp, const struct import_sched *sched,
			   const struct record *r);

/* R is a sample of sched:sched_switch. */
void import_traced_switch(struct import *imp, const struct import_sched *sched,
			  const struct record *r);

/* R is one of sched:sched_waking or sched_wakeup, by an unknown waker. */
void import_traced_waking(struct import *imp, const struct import_sched *sched,
			  const struct record *r);

/* ---- the log ---- */

/* Adds the states to LOG's events, if it is their turn by row. */
void import_waits_fill(struct exp_log *log, const struct import *imp);

/* Adds what is not known of the waits, and why. */
void import_waits_note(struct exp_log *log, const struct import *imp);

#endif
