/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters that do not count for one program: of memory controllers, power, the time
 * stamp.  They cannot interrupt, so they cannot sample: they are opened on the CPUs that
 * their PMU names (cpumask; all online CPUs if it names none) and read from time to time.
 * The count since the last reading becomes a row of samples whose stack is the artificial
 * function collector_not_program_related.
 */
#ifndef SOCKETS_H
#define SOCKETS_H

#include <stdbool.h>

#include "events/event.h"
#include "experiment/log.h"
#include "recording/recording.h"
#include "base/strbuf.h"
#include "sample/sys.h"
#include "base/vec.h"

struct socket_event {
	const struct event *event; /* borrowed */
	VEC(int) fds;              /* by CPU */
	uint64_t counted;          /* in rows already */
	double scale;              /* 1: its registers were its own all the time */
};

struct sockets {
	const struct sys *sys;
	VEC(struct socket_event) events;
	uint32_t first; /* index of the first of them among all events */
	bool counting;
	uint64_t taken_ns; /* the last reading */
	uint64_t row_ns;   /* time of its rows */
};

/* Whether EVENT is one of those: it says so itself, or opens only without sampling. */
bool sockets_wants(const struct sys *sys, const struct event *event);

/*
 * Opens EVENTS, which are borrowed, on their CPUs, not yet counting.  FIRST: their index
 * among the recording's events.  0, or a negative errno with one sentence in ERR; release
 * either way.
 */
int sockets_open(struct sockets *s, const struct sys *sys,
		 const struct event_list *events, uint32_t first, struct strbuf *err)
	__attribute__((warn_unused_result));

/* They count, or stand still.  No effect if they do already. */
void sockets_start(struct sockets *s);
void sockets_pause(struct sockets *s);

/*
 * Reads them at NOW, if the last time is long ago or this is the LAST, and writes rows
 * for PID.  Other rows from before WRITTEN_NS are written already, and none from then on.
 */
void sockets_take(struct sockets *s, struct recording *rec, uint32_t pid, uint64_t now,
		  uint64_t written_ns, bool last);

/* Fills in LOG before the recording, and at its end. */
void sockets_describe(const struct sockets *s, struct exp_log *log);
void sockets_close(const struct sockets *s, const struct recording *rec,
		   struct exp_log *log);

void sockets_release(struct sockets *s);

#endif
