/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a recording, opened: on every CPU, for the target and what it starts,
 * with one ring a CPU that all events of the CPU write to.
 */
#ifndef EVLIST_H
#define EVLIST_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/ladder.h"
#include "sample/record.h"
#include "sample/ring.h"
#include "sample/sources.h"
#include "sample/stack_mode.h"
#include "base/strbuf.h"
#include "sample/sys.h"
#include "base/vec.h"

/*
 * What the events are tied to.
 *
 * A task's event starts a fresh period in every process that the task starts, so that
 * processes shorter than a period are hardly ever sampled.  A control group's goes on
 * across them, and sees nobody else; it takes the right to make a group.  A CPU's goes on
 * too, but it counts everybody: the target's samples are picked out, and the others cost.
 */
enum evlist_scope { SCOPE_TASK, SCOPE_CGROUP, SCOPE_CPU, SCOPES };

/* "task", "cgroup", "cpu": for options and log.json. */
extern const char *const evlist_scope_names[SCOPES];

/* What is wanted of all events alike. */
struct evlist_setup {
	const struct sys *sys;
	const struct ladder *ladder;
	enum stack_mode mode;
	bool chains;          /* STACK_CFI: the frame pointers are followed too */
	uint32_t stack_bytes; /* copied for STACK_CFI, a multiple of 8; 0: by the ring */
	bool follow;          /* descendants too */
	enum evlist_scope scope;
	/* SCOPE_TASK: these, and what they start */
	const pid_t *tasks;
	size_t ntasks;
	int cgroup;   /* SCOPE_CGROUP: its directory */
	bool on_exec; /* they start counting when the task executes its program */
	bool vary;    /* sampling intervals change at random while they run: pace.h */
};

/* What a counter counted by itself, all CPUs and processes together. */
struct evlist_total {
	uint64_t value; /* as counted, not scaled */
	uint64_t enabled_ns, running_ns;
	uint64_t lost; /* records of it without room; 0 where the kernel does not tell */
};

#define EVLIST_NOT_HERE (-1)

/*
 * A unit is all events of one task on one CPU, or of one CPU.  The first `cpus` units are
 * those of the first task, and own the rings.
 */
struct evlist {
	const struct sys *sys;
	size_t events, cpus;  /* cpus: that could be opened */
	VEC(int) cpu_numbers; /* the kernel's, of each */
	size_t trackers;      /* 1: a unit begins with one that only tells of tasks */
	/* by unit: its tracker, its events; EVLIST_NOT_HERE: of another kind of core */
	VEC(int) fds;
	VEC(pid_t) owners; /* by unit; -1: no task's */
	/* by event: how many its group has, itself included; 0: it leads none */
	VEC(size_t) members;
	struct ring *rings; /* by cpu */
	size_t ring_size;
	uint32_t stack_bytes; /* of a copy, from the last opened on */
	struct record_format format;
	enum evlist_scope scope;
	struct evlist_setup setup;     /* without the tasks */
	struct evlist_total *replaced; /* by event: what those counted that are closed */
	/* of event E of unit U, at U × events + E: its newest source, whose pace holds;
	 * as far as any was registered */
	VEC(uint32_t) latest;
	uint64_t random; /* state of the generator of intervals */
};

/*
 * Opens them disabled.  Those that do not wait for a program to be executed start by
 * evlist_start.  0, or a negative errno with one sentence in ERR; release either way.
 */
int evlist_open(struct evlist *c, const struct evlist_setup *setup, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Opens the same events for one more task.  0; -ESRCH where
 * the task has ended; else a negative errno with one sentence in ERR.
 */
int evlist_add_task(struct evlist *c, const struct evlist_setup *setup, pid_t task,
		    struct strbuf *err) __attribute__((warn_unused_result));

/* Tells SOURCES which samples are of which event. */
int evlist_register(struct evlist *c, struct sources *sources)
	__attribute__((warn_unused_result));

/* Draws new intervals for events that have sampled enough.  Call each round. */
void evlist_vary(struct evlist *c, struct sources *sources);

/*
 * Starts the trackers alone, which tell of tasks and mappings; there may be none.  0 or a
 * negative errno.
 */
int evlist_start_trackers(const struct evlist *c) __attribute__((warn_unused_result));

/* Starts what does not start by itself.  0 or a negative errno. */
int evlist_start(const struct evlist *c) __attribute__((warn_unused_result));

/* Whether events may be tied to CPUs here. */
bool evlist_may_see_all(const struct sys *sys, const struct ladder *ladder);

/*
 * … and to the group whose directory CGROUP is.  Not every one has counters: below a root
 * whose subtree_control nobody has ever written, none has.
 */
bool evlist_may_see_group(const struct sys *sys, const struct ladder *ladder, int cgroup);

/* What all events write to: a ring for each CPU, and the form of their records.  Borrowed. */
struct evlist_rings {
	struct ring *first;
	size_t count;
	const struct record_format *format;
};

static inline struct evlist_rings evlist_rings(const struct evlist *c)
{
	return (struct evlist_rings){ c->rings, c->cpus, &c->format };
}

/* What tells that the ring of the CPU with that index has something to read. */
int evlist_ring_fd(const struct evlist *c, size_t cpu);

/* The size of stack copies in bytes; whether it is fixed. */
uint32_t evlist_copy_bytes(const struct evlist *c);
bool evlist_copies_are_fixed(const struct evlist *c);

/* The next larger size; the same if there is none. */
uint32_t evlist_larger_copies(const struct evlist *c);

/*
 * Reopens the running events with copies of BYTES.  0, or a negative errno: some are
 * unchanged.
 */
int evlist_resize_copies(struct evlist *c, uint32_t bytes, struct sources *sources)
	__attribute__((warn_unused_result));

/*
 * Reopens the running events so that the kernel follows frame pointers too, or no longer
 * does.  0, or a negative errno: some are unchanged.
 */
bool evlist_may_ask_chains(const struct evlist *c);
int evlist_ask_chains(struct evlist *c, bool chains, struct sources *sources)
	__attribute__((warn_unused_result));

/* Stops counting, in all processes. */
void evlist_stop(const struct evlist *c);

/* What event INDEX has counted until now. */
struct evlist_total evlist_total(const struct evlist *c, size_t index);

/* What those that only tell of tasks have lost; 0 where the kernel does not tell. */
uint64_t evlist_trackers_lost(const struct evlist *c);

/* Whether what the events lost, by their totals, is samples, and no sample is missing. */
bool evlist_tells_lost_samples(const struct evlist *c);

void evlist_release(struct evlist *c);

#endif
