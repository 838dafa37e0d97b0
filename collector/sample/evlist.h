/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The opened events of a recording: on every CPU, for the target and its descendants,
 * with one ring a CPU to which all events of the CPU write.
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
#include "sample/waking.h"
#include "base/vec.h"

/*
 * The scope of the events.
 *
 * A task's event starts a fresh period in every process that the task starts, so
 * processes shorter than a period are hardly ever sampled.  A control group's continues
 * across them, and counts nobody else; it requires the right to make a group.  A CPU's
 * continues too, but counts everybody: the target's samples are selected, and the others
 * still cost.
 */
enum evlist_scope { SCOPE_TASK, SCOPE_CGROUP, SCOPE_CPU, SCOPES };

/* "task", "cgroup", "cpu": for options and log.json. */
extern const char *const evlist_scope_names[SCOPES];

/* Settings of all events. */
struct evlist_setup {
	const struct sys *sys;
	const struct ladder *ladder;
	enum stack_mode mode;
	bool chains;          /* STACK_CFI: also follow frame pointers */
	uint32_t stack_bytes; /* copied for STACK_CFI, a multiple of 8; 0: by the ring */
	bool follow;          /* also descendants */
	bool groups;          /* samples have their control groups, if the kernel can */
	enum evlist_scope scope;
	/* SCOPE_TASK: these, and their descendants */
	const pid_t *tasks;
	size_t ntasks;
	int cgroup;                  /* SCOPE_CGROUP: its directory */
	bool waits;                  /* switches of threads are recorded, */
	const struct waking *waking; /* and who ends waits; NULL: not, */
	uint32_t waking_event;       /* as samples of this event and the next, by kind */
	bool on_exec; /* they start counting when the task executes its program */
	bool vary;    /* sampling intervals change at random while they run: pace.h */
	bool pauses;  /* they may be paused, while records of tasks go on; */
	bool paused;  /* … and are so at first, in place of on_exec */
};

/* A counter's own count, for all CPUs and processes together. */
struct evlist_total {
	uint64_t value; /* as counted, not scaled */
	uint64_t enabled_ns, running_ns;
	uint64_t lost; /* its lost records; 0 if the kernel does not report them */
};

/* Where one experiment ends and the next begins: see evlist_mark. */
struct evlist_marks {
	struct evlist_total *from, *until; /* by event; NULL: no mark yet */
	uint64_t trackers_from, trackers_until;
	bool ended; /* there is an UNTIL */
};

#define EVLIST_NOT_HERE (-1)

/*
 * A unit is all events of one task on one CPU, or of one CPU.  The first `cpus` units are
 * those of the first task, and own the rings.
 */
struct evlist {
	const struct sys *sys;
	size_t events, cpus;  /* cpus: with open events */
	VEC(int) cpu_numbers; /* the kernel's, of each */
	size_t trackers;      /* 1: a unit begins with one that only reports tasks */
	/* by unit: its tracker, its events; EVLIST_NOT_HERE: of another kind of core */
	VEC(int) fds;
	VEC(pid_t) owners; /* by unit; -1: no task's */
	/* by event: the size of its group; 0: it leads none */
	VEC(size_t) members;
	struct ring *rings; /* by cpu; where they grow, then those that took over */
	size_t ring_size;
	size_t first_size; /* of the first CPUS rings; the others are of ring_size */
	bool rings_grow;
	size_t grown;           /* CPUs whose ring has been replaced */
	uint64_t trackers_lost; /* of trackers that are closed */
	uint32_t stack_bytes;   /* of a copy, from the last opened on */
	struct record_format format;
	enum evlist_scope scope;
	struct evlist_setup setup;     /* without the tasks */
	struct evlist_total *replaced; /* by event: the count of closed ones */
	struct evlist_marks marks;
	/* of event E of unit U, at U × events + E: its newest source, whose pace holds;
	 * as far as any was registered */
	VEC(uint32_t) latest;
	VEC(int) wakings; /* by cpu and enum waking_kind; empty: not wanted */
	uint64_t random;  /* state of the generator of intervals */
};

/*
 * Opens them disabled. evlist_start starts those that do not wait for an exec.  0, or a
 * negative errno with one sentence in ERR; release either way.
 */
int evlist_open(struct evlist *c, const struct evlist_setup *setup, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The bytes of a ring that is not made smaller by the limit on locked memory. */
size_t evlist_largest_ring(const struct evlist_setup *setup);

/*
 * Opens the same events for one more task.  0; -ESRCH if the task has ended; else a
 * negative errno with one sentence in ERR.
 */
int evlist_add_task(struct evlist *c, const struct evlist_setup *setup, pid_t task,
		    struct strbuf *err) __attribute__((warn_unused_result));

/* Registers the events' samples in SOURCES. */
int evlist_register(struct evlist *c, struct sources *sources)
	__attribute__((warn_unused_result));

/* Draws new intervals for events that have sampled enough.  Call each round. */
void evlist_vary(struct evlist *c, struct sources *sources);

/*
 * From now on event E has a sample every PERIOD on the CPU with that index, which is not always
 * granted.
 */
void evlist_set_period(const struct evlist *c, size_t cpu, size_t e, uint64_t period);

/* At first one in so many wakings has a sample of KIND. */
uint64_t evlist_waking_first(enum waking_kind kind);

/* From now on one in PERIOD wakings has a sample of KIND on the CPU with that index. */
void evlist_set_waking_period(const struct evlist *c, size_t cpu, enum waking_kind kind,
			      uint64_t period);

/* Stops and starts only event E on that CPU, of all tasks. */
void evlist_run_event(const struct evlist *c, size_t cpu, size_t e, bool on);

/*
 * Starts only the trackers, which report tasks and mappings; there may be none.  0 or a
 * negative errno.
 */
int evlist_start_trackers(const struct evlist *c) __attribute__((warn_unused_result));

/* Starts the events that do not start by themselves.  0 or a negative errno. */
int evlist_start(const struct evlist *c) __attribute__((warn_unused_result));

/* Whether events may be tied to CPUs here. */
bool evlist_may_see_all(const struct sys *sys, const struct ladder *ladder);

/*
 * … and to the group with the directory CGROUP.  Not every group has counters: below a
 * root whose subtree_control was never written, none has.
 */
bool evlist_may_see_group(const struct sys *sys, const struct ladder *ladder, int cgroup);

/*
 * The rings of all events, one for each CPU, and the format of their records.  Borrowed.
 * If rings grow, there are twice as many; the second half is not mapped at first.
 */
struct evlist_rings {
	struct ring *first;
	size_t count;
	const struct record_format *format;
	size_t cpus; /* each has an evlist_ring_fd */
};

static inline struct evlist_rings evlist_rings(const struct evlist *c)
{
	return (struct evlist_rings){ c->rings, c->cpus * (1 + c->rings_grow), &c->format,
				      c->cpus };
}

/* The CPU of a ring, by its index. */
static inline uint32_t evlist_ring_cpu(const struct evlist *c, size_t ring)
{
	return (uint32_t)c->cpu_numbers.data[ring % c->cpus];
}

/* Whether there are rings that were made small for a quick start. */
bool evlist_has_small_rings(const struct evlist *c);

/* … and larger ones can still replace them. */
bool evlist_rings_grow(const struct evlist *c);

/*
 * Replaces one of them; what the former has is still to be read.  0, or a negative errno: it
 * stays as it was, all are taken for small from then on, and copies are made to fit them.
 */
int evlist_grow_ring(struct evlist *c, struct sources *sources)
	__attribute__((warn_unused_result));

/* The descriptor to poll for the ring of the CPU with that index. */
int evlist_ring_fd(const struct evlist *c, size_t cpu);

/* The size of stack copies in bytes; whether it is fixed. */
uint32_t evlist_copy_bytes(const struct evlist *c);
uint32_t evlist_switch_copy_bytes(const struct evlist *c); /* of a sample of a switch */
uint32_t evlist_waking_copy_bytes(const struct evlist *c); /* of a waking */
bool evlist_copies_are_fixed(const struct evlist *c);

/* The next larger size; the same if there is none. */
uint32_t evlist_larger_copies(const struct evlist *c);

/*
 * Reopens the running events with copies of BYTES.  0, or a negative errno: those of some
 * CPUs are unchanged.
 */
int evlist_resize_copies(struct evlist *c, uint32_t bytes, struct sources *sources)
	__attribute__((warn_unused_result));

/*
 * Reopens the running events so that the kernel follows frame pointers too, or no longer
 * does.  0, or a negative errno: those of some CPUs are unchanged.
 */
bool evlist_may_ask_chains(const struct evlist *c);
int evlist_ask_chains(struct evlist *c, bool chains, struct sources *sources)
	__attribute__((warn_unused_result));

/*
 * The events stop, or go on, in all processes; trackers do not care.  Without trackers (the
 * setup's pauses) the tasks that appear in a pause stay unknown.  0 or a negative errno.
 */
int evlist_pause(const struct evlist *c) __attribute__((warn_unused_result));
int evlist_resume(const struct evlist *c) __attribute__((warn_unused_result));

/* Stops counting, in all processes. */
void evlist_stop(const struct evlist *c);

/*
 * An experiment ends now, while the events go on: totals are those until now.  Then either
 * another begins here, and totals count from the mark on; or the mark is taken back.
 */
void evlist_mark(struct evlist *c);
void evlist_begin_at_mark(struct evlist *c);
void evlist_unmark(struct evlist *c);

/* In a copy of the process, which has none of the rings: only totals are left. */
void evlist_leave_rings(struct evlist *c);

/* The count of event INDEX until now. */
struct evlist_total evlist_total(const struct evlist *c, size_t index);

/* All lost records, as far as the events count them. */
uint64_t evlist_lost(const struct evlist *c);

/* The trackers' lost records; 0 if the kernel does not report them. */
uint64_t evlist_trackers_lost(const struct evlist *c);

/*
 * Whether the lost records in the events' totals are all lost samples, and only samples.
 */
bool evlist_tells_lost_samples(const struct evlist *c);

/* Whether some ring has lost records that nobody counted, as far as rings can show. */
bool evlist_may_hide_losses(const struct evlist *c);

/* Whether a ring is full, or was when it was read last: records may be lost since then. */
bool evlist_was_full(const struct evlist *c);

void evlist_release(struct evlist *c);

#endif
