/* SPDX-License-Identifier: Apache-2.0 */
/* What a process has: its file in collect's folder, and what it knows of it. */
#ifndef RUNTIME_PROCESS_H
#define RUNTIME_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "channel/layout.h"

enum { PROCESS_PATH_ROOM = 512 };

/* What a process counts. */
enum process_count { PROCESS_FROM, PROCESS_TO, PROCESS_COUNTS };

enum process_stage { PROCESS_NEW, PROCESS_STARTING, PROCESS_READY, PROCESS_OFF };

/* Zero in a forked child. */
struct writer_process {
	atomic_uint stage;
	unsigned generation; /* differs from those of ancestors */
	char *file;          /* mapped: */
	struct channel_head *head;
	char *names;
	struct channel_slot *slots;
	uint64_t *tails;
	uint32_t slots_max;                    /* that the process may have */
	_Atomic(char *) events[CHANNEL_SLOTS]; /* of those that are mapped */
	char path[PROCESS_PATH_ROOM];
	atomic_ullong counts[PROCESS_COUNTS]; /* of writer_count */
	atomic_uint hashed[CHANNEL_NAMES];    /* names */
	atomic_uchar chunks[CHANNEL_SLOTS];   /* of its events, that have memory */
	atomic_uchar free[CHANNEL_SLOTS];     /* its thread has ended */
	atomic_uint freed;                    /* how often one did */
};

/* Once, before any other call: false if collect does not record us. */
bool process_init(bool counts_ticks);

/* Of memory that is zero in a forked child; NULL: there is none. */
struct writer_process *process_make(void);

/* Whether it has a file, which it makes the first time. */
bool process_start(struct writer_process *p);

/*
 * In a child that a signal handler forked: P, which was wiped, and memory in the place of
 * what is not inherited, FILE and the EVENTS of a slot (NULL: none), serve the call that the
 * handler interrupted until it returns.  Nobody reads them.
 */
void process_stand_in(struct writer_process *p, char *file, char *events);

/* Wakes collect by the FIFO, if the process may open it. */
void process_wake(char why);

/* The events of a slot of the caller's; NULL: there are no addresses for them. */
struct channel_event *process_events(struct writer_process *p, uint32_t slot);

#endif
