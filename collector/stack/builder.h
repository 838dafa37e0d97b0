/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What making the stacks of one recording takes: how stacks were asked for, where frames
 * and nodes go, what was found before, and counts of how stacks ended.
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
#include "stack/path_cache.h"
#include "sample/stack_mode.h"
#include "unwind/unwind.h"
#include "base/vec.h"

enum { STACK_ROOTS = 1024, STACK_DEPTHS = 4 };

/* Bytes of stack, ascending: of how many samples each was not enough is counted. */
extern const uint32_t stack_depths[STACK_DEPTHS];

struct stack_step {
	uint64_t address, path; /* path: the number of all steps up to this one */
	bool is_return;
};

/* What was found of a place where a chain ended. */
struct stack_root {
	uint64_t place;
	uint32_t generation; /* of the space that it is in */
	bool told;
	enum exp_stack_end end;
};

struct stack_builder {
	enum stack_mode mode;
	uint64_t regs_mask;             /* attr.sample_regs_user */
	const struct unwind_arch *arch; /* of the recorded machine; NULL: unknown to us */
	/* a chain without a kernel part was asked for so: it says nothing of a sample in
	   the kernel */
	bool chains_lack_kernel;
	struct intern *in;
	struct module_table *modules;
	const struct kernel_map *kernel;
	struct unwinder *unwinder;
	struct unwind_frames frames;
	VEC(struct stack_step) steps;    /* of one part of a stack, outermost first */
	VEC(struct intern_frame) places; /* of the steps that are not known */
	VEC(uint32_t) nodes;             /* likewise */
	struct path_cache paths;
	struct stack_root roots[STACK_ROOTS];
	uint32_t unknown, guest; /* ids of modules; MODULE_NO_ID until needed */
	/* of live processes, borrowed; NULL: are not mended, and not read */
	struct stack_holes *holes;
	struct beyond_shared *beyond_shared;
	struct unwind_frames beyond; /* for reading */
	bool splice;
	uint64_t ends[EXP_ENDS], spliced;
	uint64_t joined;   /* to what was read beyond their copies */
	uint64_t left_out; /* with their innermost frame alone */
	uint64_t cut;      /* ended where the copy did, and more could have been copied */
	uint64_t chained;  /* had the kernel's chain beside their copy */
	uint64_t deeper[STACK_DEPTHS]; /* needed more bytes than that to the root */
};

/* What decides how stacks are recorded further: counts of those so far. */
struct stack_stats {
	uint64_t cut, joined, chained;
	uint64_t deeper[STACK_DEPTHS];
	/* of Go's: ended where its runtime changed stacks; were completed from there */
	uint64_t elsewhere, completed;
	uint64_t holes; /* that copies had */
	uint64_t news;  /* of what lies beyond copies: see beyond.h */
};

struct stack_stats stack_builder_stats(const struct stack_builder *b);

/* Whether what lies beyond copies is worth reading now. */
void stack_builder_want_beyond(struct stack_builder *b, bool wanted);

/* All pointers are borrowed and outlive the builder. */
void stack_builder_init(struct stack_builder *b, enum stack_mode mode, struct intern *in,
			struct module_table *modules, const struct kernel_map *kernel);
void stack_builder_release(struct stack_builder *b);

#endif
