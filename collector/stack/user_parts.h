/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of user.h have in common.  For this folder alone. */
#ifndef USER_PARTS_H
#define USER_PARTS_H

#include "experiment/format.h"
#include "sample/record.h"
#include "stack/builder.h"

extern const enum exp_stack_end user_end_of_unwind[UNWIND_END_COUNT];

struct user_finder {
	struct stack_builder *b;
	const struct space *space;
};

/* An unwind_find_map; CTX is a user_finder.  A reader's opens no file. */
bool user_find_map(void *ctx, uint64_t address, struct unwind_map *map);

/* Whether the sample was taken in the program. */
bool user_is_sampled(const struct record *r);

bool user_kernel_address(uint64_t address);

/* Registers of 32-bit code, or of a machine whose rules we do not know. */
bool user_is_foreign(const struct stack_builder *b, const struct record *r);

/*
 * How many bytes of its stack a sample needed: up to the last frame in the copy, or more
 * if the copy was too short.
 */
uint64_t user_depth(const struct stack_builder *b, const struct record_sample *sample,
		    uint64_t start, bool joined);
void user_count_depth(struct stack_builder *b, const struct record_sample *sample,
		      uint64_t depth);

/* What the kernel followed becomes B's frames. */
void user_take_chain(struct stack_builder *b, const struct record_chain *chain);

/*
 * The place whose function shows how CHAIN ends, and where a builder keeps the answer; CHAIN
 * is not empty.
 */
uint64_t user_chain_last(const struct record_chain *chain);
size_t user_root_slot(const struct space *space, uint64_t place);

/* Whether a sample without registers lacks the way to its user part. */
bool user_lacks_regs(const struct record *r, const struct process *process);

/* One more frame of B's. */
void user_push(struct stack_builder *b, uint64_t address, bool is_return);

#endif
