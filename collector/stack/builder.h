/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state for making the stacks of one recording: the mode, the destination of frames
 * and nodes, caches, and counts of how stacks ended.
 */
#ifndef STACK_BUILDER_H
#define STACK_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/format.h"
#include "stack/stack_holes.h"
#include "experiment/intern.h"
#include "process/kernel_map.h"
#include "process/module.h"
#include "stack/made_code.h"
#include "stack/path_cache.h"
#include "sample/stack_mode.h"
#include "unwind/unwind.h"
#include "base/vec.h"

enum { STACK_ROOTS = 1024, STACK_DEPTHS = 4 };

/* A stack is looked up in so many paths: <Truncated>, the user's, the kernel's, <Skid>, the ip's. */
enum { STACK_PARTS = 5 };

/* Bytes of stack, ascending: we count the samples that needed more than each. */
extern const uint32_t stack_depths[STACK_DEPTHS];

struct beyond_top; /* stack/beyond.h */

struct stack_step {
	uint64_t address, path; /* path: the hash of all steps up to this one */
	bool is_return;
};

/* A known place where a chain ended. */
struct stack_root {
	uint64_t place;
	uint32_t generation; /* of its space */
	bool told;
	enum exp_stack_end end;
};

/* Counts of stacks so far, which decide how to record further ones. */
struct stack_stats {
	uint64_t cut, joined, chained;
	uint64_t deeper[STACK_DEPTHS];
	/* of Go's: ended at its runtime's stack switch; were completed from there */
	uint64_t elsewhere, completed;
	uint64_t holes; /* found in copies */
	uint64_t news;  /* beyond_shared's */
};

struct stack_builder {
	const struct stack_builder *of; /* a reader's, see ahead.h; NULL: no reader */
	enum stack_mode mode;
	uint64_t regs_mask;             /* attr.sample_regs_user */
	const struct unwind_arch *arch; /* of the recorded machine; NULL: unknown */
	/* a chain without a kernel part was asked for so: it says nothing of a sample in
	   the kernel */
	bool chains_lack_kernel;
	struct intern *in;
	struct module_table *modules;
	const struct kernel_map *kernel;
	struct unwinder *unwinder;
	struct unwind_frames frames;
	VEC(struct stack_step) steps;    /* of one part of a stack, outermost first */
	VEC(struct intern_frame) places; /* of the unknown steps */
	VEC(uint32_t) nodes;             /* of the same */
	/* a reader's: places that have no node yet; this stack's begin where the parts do */
	VEC(struct intern_frame) rest;
	uint32_t parts[STACK_PARTS + 1];
	unsigned nparts;
	VEC(struct unwind_frame) kept; /* a reader's: of stacks that it found */
	bool unable;                   /* a reader: it lacks more than nodes */
	struct path_cache paths;
	struct stack_root roots[STACK_ROOTS];
	uint32_t unknown, guest; /* ids of modules; MODULE_NO_ID until needed */
	/* of live processes, borrowed; NULL: do not read holes, beyond copies, or code */
	struct stack_holes *holes;
	struct beyond_shared *beyond_shared;
	struct made_code *made;
	struct unwind_frames beyond; /* of other attempts than the sample's own */
	size_t read_top; /* of those, the first one above the anchor; 0: nothing was read */
	const struct beyond_top *top; /* what the frames join; NULL: they are all */
	bool splice;
	uint64_t ends[EXP_ENDS], spliced;
	uint64_t joined;   /* with words read beyond their copies */
	uint64_t left_out; /* kept with only their innermost frame */
	uint64_t cut;      /* ended with the copy, which could have been larger */
	uint64_t chained;  /* had the kernel's chain as well as the copy */
	uint64_t deeper[STACK_DEPTHS]; /* needed more bytes to reach the root */
	struct stack_stats before;     /* of earlier experiments: stack_builder_turn */
	uint32_t turns;                /* their number */
};

struct stack_stats stack_builder_stats(const struct stack_builder *b);

/* Sets whether the stack beyond copies is worth reading now. */
void stack_builder_want_beyond(struct stack_builder *b, bool wanted);

/* All pointers are borrowed and outlive the builder. */
void stack_builder_init(struct stack_builder *b, enum stack_mode mode, struct intern *in,
			struct module_table *modules, const struct kernel_map *kernel);
void stack_builder_release(struct stack_builder *b);

/* One that only reads what OF knows, see ahead.h. */
void stack_builder_init_reader(struct stack_builder *b, const struct stack_builder *of);

/* Some samples follow for a reader; what it found before is no longer used. */
void stack_builder_begin_reader(struct stack_builder *b);

/* The next stacks are of another experiment: forgets the nodes and modules of this one. */
void stack_builder_turn(struct stack_builder *b);

#endif
