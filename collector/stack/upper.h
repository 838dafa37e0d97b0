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
 * is in; and where the thread has not written X since it is watched (tripwire.h), that
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
 * One anchor of a thread is watched at a time, UPPER_WIRES in all.  An anchor that was
 * written before it had served is watched less and less often.  What this does rests
 * UPPER_REST times as long as it worked.  Where a thing is not allowed, or not to be had,
 * stacks end where the copy does.
 */
#ifndef UPPER_H
#define UPPER_H

#include <stdbool.h>
#include <stdint.h>

#include "stack/peek.h"
#include "sample/sys.h"
#include "unwind/unwind.h"

enum { UPPER_WIRES = 64, UPPER_REST = 20 };

/* What is known of one thread's stack. */
struct upper;

/* What serves all threads. */
struct uppers {
	const struct sys *sys; /* borrowed */
	struct peek *peek;     /* NULL: not needed yet, or unable */
	bool wanted; /* set by who sees what it costs, and how many stacks need it */
	bool tried, able;
	struct upper *watched[UPPER_WIRES];
	uint64_t rest_ns; /* until when to rest */
	uint64_t news;    /* how often something was begun: the next records matter */
};

void uppers_init(struct uppers *all, const struct sys *sys);

/* Each thread's was freed before. */
void uppers_release(struct uppers *all);

/* NULL is allowed. */
void upper_free(struct upper *u);

/* One sample's way through its stack. */
struct upper_walk {
	struct upper *upper; /* of its thread; NULL: none */
	const struct unwind_arch *arch;
	const struct unwind_frames *frames; /* as far as they were found */
	uint64_t start, copied;             /* where its copy begins and ends */
	uint64_t time_ns;
	enum { UPPER_UNASKED, UPPER_ELSEWHERE, UPPER_UNPROVEN, UPPER_PROVEN } state;
	size_t own;     /* frames that needed none of this, once there are others; or 0 */
	uint64_t first; /* the word that was asked for first */
};

/* A stack_beyond: CONTEXT is an upper_walk. */
bool upper_word(void *context, uint64_t address, uint64_t *word);

/*
 * The walk is over, and FRAMES are complete or not: what was found thanks to words that
 * did not lead to the root is dropped.  True where they led there.
 */
bool upper_settle(const struct upper_walk *walk, struct unwind_frames *frames);

struct upper_task {
	uint32_t pid, tid;
	struct upper **upper; /* the thread's, made when it is needed */
};

/*
 * The stack of WALK ended where its copy did, which was as large as it could be: begins
 * to watch its anchor.  True where that is watched already, and what lies beyond is to be
 * read: by unwinding the sample again, with a copy that ends at upper_anchor and
 * upper_read.
 */
bool upper_lack(struct uppers *all, const struct upper_task *task,
		const struct upper_walk *walk);

uint64_t upper_anchor(const struct upper *u);

/* A reading: words are read from the process when unwinding asks for them. */
struct upper_reading {
	struct uppers *all;
	struct upper *upper;
	uint32_t pid;
	uint64_t copied; /* where the copy ends */
	uint64_t begun_ns, worked_ns, read_ns;
	uint64_t at; /* the bytes that were read last, */
	size_t len;  /* how many, */
	bool unable; /* and that there are no more */
	unsigned char bytes[PEEK_MAX];
};

void upper_begin(struct upper_reading *r, struct upper *u, uint32_t pid, uint64_t copied);

/* A stack_beyond: CONTEXT is an upper_reading. */
bool upper_read(void *context, uint64_t address, uint64_t *word);

/* The reading is over; whether it came to the ROOT. */
void upper_end(struct upper_reading *r, bool root);

#endif
