/* SPDX-License-Identifier: Apache-2.0 */
/* The unwinder's input (a sample, the mappings) and output (frames, their end). */
#ifndef UNWIND_FRAMES_H
#define UNWIND_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/cfi_expr.h"
#include "unwind/module.h"
#include "unwind/prove.h"
#include "unwind/regs.h"
#include "base/vec.h"

#define UNWIND_MAX_FRAMES (1 << 17)

/* Why a stack has no further frame. */
enum unwind_end {
	UNWIND_END_ROOT,       /* complete: the last frame has no caller */
	UNWIND_END_TRUNCATED,  /* the copy ended before the stack did */
	UNWIND_END_NO_RULE,    /* code without call frame information or frame pointer */
	UNWIND_END_BAD_MEMORY, /* the rule led to no stack or no code */
	UNWIND_END_DEPTH,      /* UNWIND_MAX_FRAMES */
	UNWIND_END_OTHER,      /* no progress, or the budget is spent */
	/*
	 * the code that a handler interrupted, or a runtime's system call left, is on a
	 * stack that was not copied
	 */
	UNWIND_END_OTHER_STACK,
	UNWIND_END_NO_REGISTER, /* needs one that the kernel did not save */
	UNWIND_END_COUNT
};

struct unwind_frame {
	uint64_t address; /* in the process; of execution, or to return to */
	uint64_t cfa;     /* the stack pointer after its return; 0: unknown */
	/* A return address: the call lies before it, so look up address - 1. */
	bool is_return;
	/*
	 * A hash of its caller's registers that it saved, except addresses of the stack;
	 * 0: none.  These words do not change while the frame lives, and mostly differ in
	 * another frame of the same function.
	 */
	uint32_t saved;
};

struct unwind_frames {
	VEC(struct unwind_frame) v; /* leaf first */
	enum unwind_end end;
	uint64_t missing; /* UNWIND_END_TRUNCATED: the word that could not be read */
	size_t doubtful; /* up to the first with a doubtful rule (prove.h); 0: none has */
	bool fp_used; /* a frame without call frame information was unwound by its fp */
	bool scanned; /* one was unwound by its instructions (scan.h) */
	bool spliced; /* the root side is from an earlier stack (splice.h) */
	bool joined;  /* the root side is known, and not among the frames: unwind_known */
};

/* All-zero is an empty one. */
void unwind_frames_release(struct unwind_frames *frames);

/* Drops the frames that a doubtful rule led to, unless these reach the root. */
void unwind_frames_drop_doubtful(struct unwind_frames *frames);

/* One mapping of the sampled process. */
struct unwind_map {
	uint64_t start, end;          /* addresses, END not included */
	uint64_t file_offset;         /* of START */
	struct unwind_module *module; /* NULL: none (JIT code), or it could not be read */
	bool executable;
	bool generated; /* has no file: code that the program made */
	bool unread; /* its file could not be opened, and no frame pointer is believed */
};

/* The mapping at ADDRESS into *MAP; false if there is none. */
typedef bool unwind_find_map(void *space, uint64_t address, struct unwind_map *map);

/*
 * Whether the caller knows what lies above: the frames that REGS lead to.  Asked once a
 * stack, at the first frame that begins at known_from or above.
 */
typedef bool unwind_known(void *context, const struct unwind_regs *regs);

enum unwind_made_answer {
	MADE_PROVEN,
	MADE_UNTIMELY, /* of bytes that may not be those that ran */
	MADE_UNPROVEN, /* the bytes show no rule, or can never be read */
	MADE_UNREAD,   /* they could not be read now, but for later samples */
};

/* Code that the program made, if that can be read (prove.h). */
struct unwind_made {
	/* The rule at ADDRESS in such code, at the time of the sample. */
	enum unwind_made_answer (*rule)(void *context, uint64_t address, bool is_return,
					struct unwind_made_rule *out);
	bool (*is_behind_call)(void *context, uint64_t address);
	void *context;
};

struct unwind_input {
	const struct unwind_arch *arch;
	const struct unwind_regs *regs;
	const void *stack; /* the copy of the memory from stack_start on */
	size_t stack_len;
	uint64_t stack_start; /* most often the stack pointer */
	uint64_t stack_end;   /* of the stack's mapping; 0: unknown */
	bool stack_ends;      /* no memory follows the copy, which has room for more */
	stack_beyond *beyond; /* words outside the copy; NULL: none */
	void *beyond_context;
	unwind_known *known; /* NULL: nothing is known */
	void *known_context;
	uint64_t known_from; /* stack pointer */
	/* the kernel's chain of frame pointers, from the same registers; len 0: none */
	const uint64_t *chain;
	size_t chain_len;
	unwind_find_map *find;
	void *space;
	const struct unwind_made *made; /* NULL: it cannot be read */
};

struct unwind_stats {
	uint64_t frames, cache_hits, cache_misses;
	uint64_t elsewhere; /* reached a runtime's switch to another stack, */
	uint64_t joined;    /* and from there the root */
};

#endif
