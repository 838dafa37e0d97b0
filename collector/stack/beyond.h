/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a stack that lies beyond the kernel's copy.
 *
 * The kernel copies 64 KiB at most, and a frame may be larger.  What lies beyond it, the
 * callers' return addresses and saved registers, stays as it is for as long as the call
 * lasts; so it is read from the live process once, and serves the samples that are taken
 * in the same call.  That it is the same call has to be known, not supposed: two callers
 * that take turns leave the same stack but for those words.
 *
 *	         arm      sample     read      sample           sample
 *	time ──────┼─────────┼─────────┼──────────┼──────╳─────────┼──→
 *	                asks for X          asks for X   X is written
 *	                                  is completed             is cut
 *
 * A call writes its return address, and its prologue what it saves, before anything can
 * ask for them.  So where a sample asks for the word X, X was written by the call that it
 * is in; and where the thread has not written X since it is watched (watchpoint.h), that
 * call began before, and has lasted up to the sample.  X is the *anchor*: the first word
 * that the copy lacked, or the return address of a frame in its outer quarter, which
 * deeper recursion still has.  All that unwinding asks for above the anchor belongs to
 * calls that wait for this one to return, and cannot change meanwhile.
 *
 * What is below it, the other registers that the anchor's function saved, is there once a
 * sample has asked for it; so a word serves samples that are later than its reading, and
 * is read only after a sample asked for it while the anchor was watched.
 *
 * A coroutine that goes from thread to thread may have its anchor written by another one;
 * nothing watches that.
 *
 * One anchor of a thread is watched at a time, BEYOND_WATCHPOINTS in all.  An anchor that was
 * written before it had served is watched less and less often.  What this does rests
 * BEYOND_REST times as long as it worked.  Where a thing is not allowed, or not to be had,
 * stacks end where the copy does.
 */
#ifndef BEYOND_H
#define BEYOND_H

#include <stdbool.h>
#include <stdint.h>

#include "stack/remote_read.h"
#include "sample/sys.h"
#include "unwind/unwind.h"

enum { BEYOND_WATCHPOINTS = 64, BEYOND_REST = 20 };

/* What is known of one thread's stack. */
struct beyond;

/* What serves all threads. */
struct beyond_shared {
	const struct sys *sys;        /* borrowed */
	struct remote_reader *reader; /* NULL: not needed yet, or unable */
	bool wanted; /* set by who sees what it costs, and how many stacks need it */
	bool tried, able;
	struct beyond *watched[BEYOND_WATCHPOINTS];
	uint64_t rest_ns; /* until when to rest */
	uint64_t news;    /* how often something was begun: the next records matter */
};

void beyond_shared_init(struct beyond_shared *all, const struct sys *sys);

/* Each thread's was freed before. */
void beyond_shared_release(struct beyond_shared *all);

/* NULL is allowed. */
void beyond_free(struct beyond *u);

/* One sample's way through its stack. */
struct beyond_walk {
	struct beyond *beyond; /* of its thread; NULL: none */
	const struct unwind_arch *arch;
	const struct unwind_frames *frames; /* as far as they were found */
	uint64_t start, copied;             /* where its copy begins and ends */
	uint64_t time_ns;
	enum { BEYOND_UNASKED, BEYOND_ELSEWHERE, BEYOND_UNPROVEN, BEYOND_PROVEN } state;
	size_t own;     /* frames that needed none of this, once there are others; or 0 */
	uint64_t first; /* the word that was asked for first */
	uint32_t next;  /* where the word that is asked for next may lie */
};

/* A stack_beyond: CONTEXT is an beyond_walk. */
bool beyond_word(void *context, uint64_t address, uint64_t *word);

/*
 * The walk is over, and FRAMES are complete or not: what was found thanks to words that
 * did not lead to the root is dropped.  True where they led there.
 */
bool beyond_settle(const struct beyond_walk *walk, struct unwind_frames *frames);

struct beyond_task {
	uint32_t pid, tid;
	struct beyond **beyond; /* the thread's, made when it is needed */
};

/*
 * The stack of WALK ended where its copy did, which was as large as it could be: begins
 * to watch its anchor.  True where that is watched already, and what lies beyond is to be
 * read: by unwinding the sample again, with a copy that ends at beyond_anchor and
 * beyond_read.
 */
bool beyond_lack(struct beyond_shared *all, const struct beyond_task *task,
		 const struct beyond_walk *walk);

uint64_t beyond_anchor(const struct beyond *u);

/* A reading: words are read from the process when unwinding asks for them. */
struct beyond_reading {
	struct beyond_shared *all;
	struct beyond *beyond;
	uint32_t pid;
	uint64_t copied; /* where the copy ends */
	uint64_t begun_ns, worked_ns, read_ns;
	uint64_t at; /* the bytes that were read last, */
	size_t len;  /* how many, */
	bool unable; /* and that there are no more */
	unsigned char bytes[REMOTE_MAX];
};

void beyond_begin(struct beyond_reading *r, struct beyond *u, uint32_t pid,
		  uint64_t copied);

/* A stack_beyond: CONTEXT is an beyond_reading. */
bool beyond_read(void *context, uint64_t address, uint64_t *word);

/* The reading is over; whether it came to the ROOT. */
void beyond_end(struct beyond_reading *r, bool root);

#endif
