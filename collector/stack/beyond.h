/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a stack that lies beyond the kernel's copy.
 *
 * The kernel copies at most 64 KiB, and a frame may be larger.  The part beyond it, the
 * callers' return addresses and saved registers, does not change while the call lasts; so
 * it is read from the live process once, and serves the samples of the same call.  It
 * must be proven to be the same call: two callers that take turns leave the same stack
 * except for those words.
 *
 *	         arm      sample     read      sample           sample
 *	time ──────┼─────────┼─────────┼──────────┼──────╳─────────┼──→
 *	                asks for X          asks for X   X is written
 *	                                  is completed             is cut
 *
 * A call writes its return address, and its prologue the saved registers, before any
 * sample needs them.  So if a sample needs the word X, its call wrote X; and if the
 * thread has not written X since it was watched (watchpoint.h), that call began before,
 * and has lasted until the sample.  X is the *anchor*: the first word that the copy
 * lacked, or the return address of a frame in its outer quarter, which deeper recursion
 * still has.  All words above the anchor that unwinding needs belong to calls that wait
 * for this one to return, and cannot change meanwhile.
 *
 * Words below it, other registers that the anchor's function saved, are written by the
 * time that a sample needs them; so a word serves samples after its reading, and is read
 * only after a sample needed it while the anchor was watched.
 *
 * If a coroutine moves between threads, another thread may write its anchor; nothing
 * watches that.
 *
 * What is above the anchor is thus the same for all samples in its call, unless its
 * function's registers differ: from the reading on it is one node, the top, to which each
 * sample adds the frames of its own copy.  So a stack costs by what of it changes, and may
 * be as deep as unwinding goes; without a top BEYOND_FRAMES are walked for a sample.
 *
 * At most one anchor of a thread is watched at a time, BEYOND_WATCHPOINTS in all.  An
 * anchor that was written before it was useful is watched less and less often.  All this
 * rests BEYOND_REST times as long as it worked.  If anything needed is forbidden or
 * unavailable, stacks end with the copy.
 */
#ifndef BEYOND_H
#define BEYOND_H

#include <stdbool.h>
#include <stdint.h>

#include "stack/remote_read.h"
#include "sample/sys.h"
#include "unwind/unwind.h"

enum { BEYOND_WATCHPOINTS = 64, BEYOND_REST = 20, BEYOND_FRAMES = 16384 };

/* Known words of one thread's stack. */
struct beyond;

/* State shared by all threads. */
struct beyond_shared {
	const struct sys *sys;        /* borrowed */
	struct remote_reader *reader; /* NULL: not needed yet, or unable */
	bool wanted;                  /* set by the caller, by its cost and the need */
	bool tried, able;
	struct beyond *watched[BEYOND_WATCHPOINTS];
	uint64_t rest_ns; /* end of the rest */
	uint64_t news;    /* how often a step began: the next records matter */
};

void beyond_shared_init(struct beyond_shared *all, const struct sys *sys);

/* Each thread's was freed before. */
void beyond_shared_release(struct beyond_shared *all);

/* NULL is allowed. */
void beyond_free(struct beyond *u);

/* The frames above an anchor, as they were interned. */
struct beyond_top {
	uint32_t generation; /* of the space that they are in */
	uint32_t node;       /* the innermost one's, */
	uint64_t path;       /* and the number of the path to it */
};

/* The unwinding of one sample. */
struct beyond_walk {
	struct beyond *beyond; /* of its thread; NULL: none */
	const struct unwind_arch *arch;
	const struct unwind_frames *frames; /* found so far */
	uint64_t start, copied;             /* start and end of its copy */
	uint32_t generation;                /* of the space */
	uint64_t time_ns;
	enum { BEYOND_UNASKED, BEYOND_ELSEWHERE, BEYOND_UNPROVEN, BEYOND_PROVEN } state;
	size_t own;     /* frames found without this, once there are others; or 0 */
	uint64_t first; /* the first word needed */
	uint32_t next;  /* the probable index of the next word */
};

/* A stack_beyond: CONTEXT is a beyond_walk. */
bool beyond_word(void *context, uint64_t address, uint64_t *word);

/*
 * Where the known top of the thread's stack begins: the first stack pointer of its
 * frames; UINT64_MAX: nowhere.
 */
uint64_t beyond_top_from(const struct beyond *u);

/* An unwind_known: CONTEXT is a beyond_walk. */
bool beyond_joins_top(void *context, const struct unwind_regs *regs);

/* The top's node is no longer valid.  NULL is allowed. */
void beyond_forget_top(struct beyond *u);

/* The one that a walk has joined; good until the next reading. */
const struct beyond_top *beyond_top(const struct beyond *u);

/*
 * Ends the walk: drops frames found with words that did not lead to the root.  True if
 * they did.
 */
bool beyond_settle(const struct beyond_walk *walk, struct unwind_frames *frames);

struct beyond_task {
	uint32_t pid, tid;
	struct beyond **beyond; /* the thread's, made when needed */
};

/*
 * The stack of WALK ended with its copy, which had the largest size: begins to watch its
 * anchor.  True if that is watched already, and the part beyond should be read: by
 * unwinding the sample again, with a copy that ends at beyond_anchor and beyond_read.
 */
bool beyond_lack(struct beyond_shared *all, const struct beyond_task *task,
		 const struct beyond_walk *walk);

uint64_t beyond_anchor(const struct beyond *u);

/* A reading: words are read from the process when unwinding asks for them. */
struct beyond_reading {
	struct beyond_shared *all;
	struct beyond *beyond;
	uint32_t pid;
	uint64_t copied; /* the end of the copy */
	uint64_t begun_ns, worked_ns, read_ns;
	uint64_t at;                        /* the bytes read last, */
	size_t len;                         /* their number, */
	bool unable;                        /* and whether there are no more */
	size_t next;                        /* how many to read next */
	const struct unwind_frames *frames; /* found so far */
	size_t top; /* of these, the first one above the anchor; 0: not reached */
	unsigned char bytes[REMOTE_MAX];
};

void beyond_begin(struct beyond_reading *r, struct beyond *u, uint32_t pid,
		  uint64_t copied, const struct unwind_frames *frames);

/* A stack_beyond: CONTEXT is a beyond_reading. */
bool beyond_read(void *context, uint64_t address, uint64_t *word);

/* An unwind_known, asked from beyond_anchor + 1 on: CONTEXT is a beyond_reading. */
bool beyond_passes_anchor(void *context, const struct unwind_regs *regs);

/* Ends the reading, which did or did not reach the ROOT. */
void beyond_end(struct beyond_reading *r, bool root);

/* The frames from the reading's top on are TOP, for all later samples. */
void beyond_keep_top(struct beyond *u, const struct beyond_top *top);

#endif
