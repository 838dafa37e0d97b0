/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a process's file of events (channel/layout.h), which the process may change or
 * truncate at any time: by pread(2), never by a mapping, and within bounds.  The file is
 * open only while it is read: there may be more files than descriptors.
 */
#ifndef CHANNEL_FILE_H
#define CHANNEL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "channel/layout.h"
#include "region/tick_clock.h"

/* The most events of a reading: a program costs nothing to claim that it wrote more. */
enum { CHANNEL_FILE_READ_MAX = 1 << 22 };

/* What was read of a slot. */
struct channel_slot_read {
	uint64_t events, lost, deep;
};

/* All zero but NAME: nothing was read. */
struct channel_file {
	char *name; /* in the folder; owned */
	ino_t inode;
	uint32_t pid; /* as the process says; 0: it has not said so yet */
	bool foreign; /* its ids, and those of its threads, are not of our namespace */
	bool ticks;   /* it counts time in them */
	uint64_t lost, unnamed, fileless;
	VEC(struct channel_slot_read) slots;
	uint64_t controls;  /* requests that were read, or … */
	uint64_t forgotten; /* … that later ones replaced before */
	bool asks;          /* there were others then */
	unsigned headless;  /* readings before the process began it */
	uint64_t most;      /* of a reading, in tests; 0: CHANNEL_FILE_READ_MAX */
	uint32_t next_slot; /* where the next reading begins */
	bool behind;        /* the last reading left some events to it */
	int fd;             /* while it is read */
};

/*
 * Each event of a slot, in their order; its time is of CLOCK_MONOTONIC.  0, or negative: it
 * is none, so the file is damaged.
 */
typedef int channel_event_fn(void *ctx, struct channel_file *file, uint32_t slot,
			     const struct channel_event *event);

/*
 * Gives TAKE what is new until UNTIL_NS, slot by slot, or a part of it (see behind), and
 * makes room for the process.
 * CLOCK is for ticks, and was read since then.  0, or negative: the file is not what it
 * should be, and must not be read again.
 */
int channel_file_read(struct channel_file *file, int dir, const struct tick_clock *clock,
		      uint64_t until_ns, channel_event_fn *take, void *ctx)
	__attribute__((warn_unused_result));

/* A request; its time is of CLOCK_MONOTONIC. */
typedef void channel_request_fn(void *ctx, struct channel_file *file,
				const struct channel_control *control);

/*
 * Gives TAKE the new requests, in their order; those beyond CHANNEL_CONTROLS are lost.
 * Otherwise as channel_file_read.
 */
int channel_file_requests(struct channel_file *file, int dir,
			  const struct tick_clock *clock, channel_request_fn *take,
			  void *ctx) __attribute__((warn_unused_result));

/* For TAKE: appends a name to OUT; *DOMAIN is its domain's.  Negative: it is damaged. */
int channel_file_name(const struct channel_file *file, uint32_t name, uint32_t *domain,
		      struct strbuf *out) __attribute__((warn_unused_result));

/*
 * Whether a process, in whatever namespace, may still write it; or that is not known.  May
 * cause a SIGIO, if one opens it at the same time.
 */
bool channel_file_is_used(struct channel_file *file, int dir);

/* Events that the process dropped, as far as it was read. */
uint64_t channel_file_lost(const struct channel_file *file);

/* Begins that it left out, in too many others. */
uint64_t channel_file_deep(const struct channel_file *file);

void channel_file_release(struct channel_file *file);

#endif
