/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that reads sleepers, several at a time, while its owner goes on.
 *
 * A read may wait in the kernel: for a process that executes a program, for the lock of
 * its mappings, for a page that it should serve itself (userfaultfd).  The owner looks for
 * the answers when it comes by.  A thread that is stuck is left behind, its process is not
 * read again, and the others of its batch are to be read anew.  While SLEEPER_READERS
 * threads are stuck nothing is read.
 */
#ifndef SLEEPER_READER_H
#define SLEEPER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "process/sleeper.h"

enum {
	SLEEPERS_MAX = 64,            /* at a time */
	SLEEPERS_BYTES = 1024 * 1024, /* of all their stacks */
	SLEEPER_READERS = 4,
};

#define SLEEPER_STUCK_NS UINT64_C(1000000000)
#define SLEEPER_ROUND_NS                                                                 \
	(SLEEPER_STUCK_NS / 4) /* at most, of the time between two rounds */

struct sleeper_batch;

struct sleeper_reader {
	const char *root; /* borrowed; precedes /proc */
	sleeper_wants_file *wants_file;
	struct sleeper_batch *batch; /* NULL: not needed yet, or unable */
	bool sent;                   /* the batch is, or was, being read */
	size_t begun;                /* how many were begun by the last look, */
	uint64_t looked_ns, hung_ns; /* when that was, and for how long it has been so */
	struct sleeper_batch *left[SLEEPER_READERS]; /* left behind, and not back */
	size_t left_len;
	unsigned failures; /* to start a thread */
	struct idmap avoided;
	uint64_t stuck; /* processes, for ever or not */
};

/* A thread of a batch that was left behind. */
struct sleeper_again {
	uint32_t tid;
	size_t room;
};

void sleeper_reader_init(struct sleeper_reader *r, const char *root,
			 sleeper_wants_file *wants_file);

/* Does not wait. */
void sleeper_reader_release(struct sleeper_reader *r);

/*
 * Call each round: leaves a batch behind in which nothing was read for SLEEPER_STUCK_NS, though
 * its owner came by several times, and fills AGAIN with its threads but the one that is stuck.
 * Returns how many these are.
 */
size_t sleeper_reader_check(struct sleeper_reader *r, uint64_t now,
			    struct sleeper_again again[SLEEPERS_MAX]);

/* Whether nothing can be read until a thread that is stuck comes back. */
bool sleeper_reader_is_exhausted(const struct sleeper_reader *r);

/* Whether a batch may be made, once the last one's answers were taken. */
bool sleeper_reader_get(struct sleeper_reader *r);

/* Whether a read of that process got stuck: it is not read again. */
bool sleeper_reader_avoids(const struct sleeper_reader *r, uint32_t pid);

/*
 * Adds a thread, whose stack is read from its pointer on, up to ROOM bytes.  False: there is no
 * room in this batch.
 */
bool sleeper_reader_add(struct sleeper_reader *r, uint32_t pid, uint32_t tid,
			size_t room);

void sleeper_reader_send(struct sleeper_reader *r, uint64_t now);

/*
 * The answers, once all are there: *COUNT; NULL before.  They are good until
 * sleeper_reader_done, after which *SPENT_NS, the CPU time that they took, counts for the
 * next ones.
 */
struct sleeper *sleeper_reader_answers(struct sleeper_reader *r, size_t *count,
				       uint64_t *spent_ns);
void sleeper_reader_done(struct sleeper_reader *r);

#endif
