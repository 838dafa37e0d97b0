/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of one unit of an evlist, for all of evlist's files: opening them, their
 * descriptors, their redirection into the ring of their CPU, their counts.
 */
#ifndef EVLIST_UNIT_H
#define EVLIST_UNIT_H

#include "sample/evlist.h"

enum {
	EVLIST_RINGS_TOTAL = 64 << 20, /* of all CPUs, unless there are many */
	EVLIST_RING_MIN = 64 << 10,    /* must hold some of the largest records */
};

/* The number of descriptors in a unit. */
size_t evlist_slots(const struct evlist *c);

/* The limit on open files does not suffice: adds to ERR what would, and returns -EMFILE. */
int evlist_files_refused(const struct evlist *c, const struct evlist_setup *setup,
			 struct strbuf *err);

/* The descriptor of event E in a unit; it may be EVLIST_NOT_HERE. */
int *evlist_event_fd(const struct evlist *c, size_t unit, size_t e);

/* A part of a counter on a CPU with several kinds of core. */
bool evlist_of_one_core(const struct event *event);

/*
 * All events of TASK, or of no task (-1), on one CPU, except the parts of counters that
 * its kind of core lacks.  0, or a negative errno with a sentence in ERR, and the opened
 * descriptors in c->fds behind the last whole unit; -ENODEV (the CPU is offline) and
 * -ESRCH (the task has ended) without one.
 */
int evlist_open_unit(struct evlist *c, const struct evlist_setup *setup, pid_t task,
		     int cpu, struct strbuf *err) __attribute__((warn_unused_result));

/* Opens one of them; its descriptor or a negative errno.  Its group's leader is open. */
int evlist_open_event(const struct evlist *c, const struct evlist_setup *setup,
		      pid_t task, int cpu, size_t e) __attribute__((warn_unused_result));

/* … that reports tasks, for a ring of RING_SIZE. */
int evlist_open_tracker(const struct evlist *c, const struct evlist_setup *setup,
			pid_t task, int cpu, size_t ring_size)
	__attribute__((warn_unused_result));

/* The events of one CPU that are to replace the running ones, by event. */
struct evlist_reopened {
	VEC(int) fds; /* EVLIST_NOT_HERE like theirs */
	VEC(uint64_t) ids;
};

/*
 * Opens all events of a unit anew into NEW, as the setup is now, for the ring of the
 * descriptor RING; they do not run yet.  0, or a negative errno, and nothing has changed.
 */
int evlist_reopen(struct evlist *c, size_t unit, int ring, struct evlist_reopened *new)
	__attribute__((warn_unused_result));

/* They run, and the former ones are closed.  Empties NEW. */
void evlist_take_over(struct evlist *c, size_t unit, struct evlist_reopened *new,
		      struct sources *sources);

/* Puts the sentence for the errno ERROR into ERR, and returns ERROR. */
int evlist_refused(const struct evlist *c, const struct evlist_setup *setup, int cpu,
		   size_t e, int error, struct strbuf *err);

/* The size of the first rings of those that are to have RING_SIZE in the end. */
size_t evlist_first_ring(const struct evlist_setup *setup, size_t ring_size);

/* Makes c->rings.  0 or a negative errno. */
int evlist_map_rings(struct evlist *c) __attribute__((warn_unused_result));

/* Makes the event FD, or all of a unit, write to the ring of the unit's CPU. */
bool evlist_share_ring(const struct evlist *c, int fd, size_t unit);
int evlist_redirect(struct evlist *c, size_t unit, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Registers the samples of FD, which does not run yet, as event E's in SOURCES, and draws the
 * first interval.  0 or a negative errno.
 */
int evlist_register_event(struct evlist *c, int fd, size_t unit, size_t e,
			  struct sources *sources) __attribute__((warn_unused_result));

/* The same for the kernel's ID. */
void evlist_register_id(struct evlist *c, int fd, uint64_t id, size_t unit, size_t e,
			struct sources *sources);

/* Draws the first interval of FD, with samples of SOURCE, if it varies. */
void evlist_vary_first(struct evlist *c, int fd, size_t unit, size_t e,
		       const struct sources *sources, struct source *source);

/* The index of the newest source of event E of a unit. */
#define EVLIST_UNREGISTERED SIZE_MAX
size_t evlist_source(const struct evlist *c, size_t unit, size_t e);

/* The event's samples now come from its newest source; the FORMER one's COUNTED. */
void evlist_vary_on(const struct evlist *c, struct sources *sources, size_t unit,
		    size_t e, size_t former, uint64_t counted);

/* The events of wakings, if the setup wants them; the rings are mapped. */
int evlist_open_wakings(struct evlist *c, const struct evlist_setup *setup,
			struct strbuf *err) __attribute__((warn_unused_result));
int evlist_register_wakings(const struct evlist *c, struct sources *sources)
	__attribute__((warn_unused_result));
int evlist_start_wakings(const struct evlist *c) __attribute__((warn_unused_result));
void evlist_stop_wakings(const struct evlist *c);

/* FD may be EVLIST_NOT_HERE. */
void evlist_close(const struct evlist *c, int fd);

/* The count of FD, which leads a group of MEMBERS, or none (0). */
struct evlist_total evlist_total_of_fd(const struct evlist *c, int fd, size_t members);

void evlist_add_total(struct evlist_total *sum, const struct evlist_total *one);

#endif
