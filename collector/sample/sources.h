/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps the ids that the kernel puts into samples to events and tasks, and to the format
 * of an event's samples.
 */
#ifndef SOURCES_H
#define SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "sample/pace.h"
#include "sample/record.h"

/* An event as the kernel knows it: on one CPU, or for one task. */
struct source {
	uint32_t event; /* index among the recording's */
	int32_t owner;  /* its task; -1: a CPU's */
	struct pace pace;
};

/* Properties of an event's samples. */
struct source_event {
	struct record_format format; /* if it has_format; else the recording's */
	bool has_format;
	bool leads;      /* they carry its group's counts */
	bool ticks_idle; /* and weigh its period: it counts while a CPU is idle */
};

/* All-zero is empty. */
struct sources {
	struct idmap ids; /* the kernel's id of an event → index in v */
	VEC(struct source) v;
	VEC(struct source_event) events;
	struct idmap owners; /* tasks that have events of their own */
	bool mixed;          /* some events have a format of their own */
};

void sources_release(struct sources *s);

/*
 * Samples with ID belong to EVENT, opened for the task OWNER or, if that is -1, for a
 * CPU.  The pointer is valid until the next is added.
 */
struct source *sources_add(struct sources *s, uint64_t id, uint32_t event, int32_t owner);

/* Samples of EVENT, which was added, have FORMAT, not the recording's. */
void sources_set_format(struct sources *s, uint32_t event,
			const struct record_format *format);

/*
 * EVENT, which was added, leads a group: each of its samples is a sample of every member
 * whose counter has grown since the last one, weighing that growth.  A leader that
 * TICKS_IDLE, as a clock of CPUs does, weighs its own period instead.
 */
void sources_set_group(struct sources *s, uint32_t event, bool ticks_idle);

/* The source with that ID; NULL: none. */
struct source *sources_find(const struct sources *s, uint64_t id);

static inline const struct source_event *sources_event(const struct sources *s,
						       const struct source *source)
{
	return &s->events.data[source->event];
}

/*
 * Whether TID inherited SOURCE but has events of its own from our attaching: only those
 * count.
 */
bool sources_is_double(const struct sources *s, const struct source *source,
		       uint32_t tid);

#endif
