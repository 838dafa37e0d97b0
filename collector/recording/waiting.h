/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads wait for (collect -w): feeds switches of threads to wait/switches.h, and
 * writes waits and lives.
 */
#ifndef WAITING_H
#define WAITING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/spans.h"
#include "experiment/state.h"
#include "experiment/intern.h"
#include "process/tasks.h"
#include "sample/record.h"
#include "wait/cause.h"
#include "wait/faults.h"
#include "wait/switches.h"

/* Of all waits in a state. */
struct waiting_sum {
	uint64_t waits, ns;
	uint64_t addressed; /* waits whose lock's address is known */
};

/* Of a CPU: threads that left it, those with a stack, and the bytes that were copied of these. */
struct waiting_cpu {
	uint64_t outs, stacks, bytes;
};

struct waiting {
	struct intern *in;         /* borrowed, */
	struct tasks *tasks;       /* this too */
	const char *root;          /* borrowed; see waiting_setup */
	const char *group;         /* the same */
	const struct spans *times; /* the same */
	bool everyone;             /* see waiting_setup */
	struct switches switches;
	struct faults faults;
	struct cause cause;
	bool has_names;   /* of the kernel's functions, for causes */
	uint32_t sampled; /* the event whose samples have the stacks of switches, */
	uint32_t faulted; /* and the one with the addresses of major page faults */
	bool keeps, keeps_faults;    /* these are samples of the user's, too */
	bool childless;              /* threads that are born are not recorded */
	uint32_t events[EXP_STATES]; /* of the recording, by state */
	struct waiting_sum sums[EXP_STATES];
	uint64_t stacked_ns; /* of waits with a stack, */
	uint64_t bare_ns;    /* and without one, but for those for a CPU: all, and … */
	uint64_t bare_before_ns; /* … of threads that slept before, and never ran */
	uint64_t woken;          /* waits whose waker is known */
	uint64_t
		cut; /* that somebody may end, but not before a pause or the end: no waker */
	VEC(struct waiting_cpu) cpus;
	uint64_t stacks, lives;
	uint64_t stopped_ns; /* the end of the recording; UINT64_MAX: it goes on */
};

/* No event has the stacks of switches. */
#define WAITING_NO_EVENT UINT32_MAX

struct waiting_setup {
	struct intern *in;
	struct tasks *tasks;
	const char *root; /* precedes /proc; NULL: another machine */
	/* the control group (cgroup2.h) that alone is recorded; NULL: none, or unknown */
	const char *group;
	bool everyone;             /* all records are the target's: recording_setup */
	const struct spans *times; /* the recording's, borrowed */
	uint32_t sampled, faulted; /* may be WAITING_NO_EVENT */
	bool keeps, keeps_faults;  /* they are the user's events */
	const uint32_t *events;    /* by state */
};

void waiting_init(struct waiting *w, const struct waiting_setup *setup);
void waiting_release(struct waiting *w);

/*
 * In an import, the kernel that was recorded runs here: its addresses in [FROM, TO) then are
 * those SLIDE further on now.
 */
void waiting_name_causes(struct waiting *w, uint64_t from, uint64_t to, uint64_t slide);

/* Threads that are known by now, and live, lived before; all they do is recorded from NOW on. */
void waiting_find_all(struct waiting *w, uint64_t now);

/* Whether EVENT is opened for waits alone: no sample of it is the user's. */
bool waiting_owns(const struct waiting *w, uint32_t event);

/* A switch, whosever it is: its stack costs time if it is none of the target's, too. */
void waiting_count(struct waiting *w, const struct record *r);

struct waiting_cpu waiting_of_cpu(const struct waiting *w, uint32_t cpu);

/* Each for a record of a thread of the target, at NOW from the recording's start. */
void waiting_switch(struct waiting *w, const struct record *r, uint64_t now);
void waiting_ran(struct waiting *w, const struct record *r, uint64_t now);
/* Where the thread left the program; 0: not known. */
struct waiting_entry {
	uint64_t argument; /* the first one of its system call */
	uint64_t ip;
};
void waiting_stack(struct waiting *w, const struct record *r, uint32_t node,
		   const struct waiting_entry *entry);
void waiting_fault(struct waiting *w, const struct record *r, uint64_t now);
void waiting_state(struct waiting *w, const struct record *r, uint64_t now,
		   enum exp_state state);
/* As switches_unseen. */
bool waiting_unseen(struct waiting *w, uint32_t tid, uint64_t from);
/* As switches_woken; WAKER: as wakers_id has it. */
void waiting_woken(struct waiting *w, uint32_t tid, uint64_t now, uint32_t waker);
void waiting_reused(struct waiting *w, uint32_t tid, uint64_t now); /* before its row */
void waiting_fork(struct waiting *w, uint32_t tid, uint64_t now);
void waiting_exit(struct waiting *w, uint32_t tid, uint64_t now);

/* PID executes a program, which its thread EXECUTOR asked for: before, and after. */
void waiting_leave(struct waiting *w, uint32_t pid, uint32_t executor, uint64_t now);
void waiting_exec(struct waiting *w, uint32_t pid, uint64_t now, uint32_t cpu);

/* Each record, whosever it is. */
void waiting_seen(struct waiting *w, const struct record *r, uint64_t now);
void waiting_lost(struct waiting *w, const struct record *r, uint64_t now);

/* The recording ends at NOW; its last records are still to come. */
void waiting_stop(struct waiting *w, uint64_t now);

/*
 * CPU may have lost records after its last one until UNTIL, or the recording's end, and no
 * record says so yet.
 */
void waiting_hides(struct waiting *w, uint32_t cpu, uint64_t until);

/* All records were there. */
void waiting_finish(struct waiting *w);

#endif
