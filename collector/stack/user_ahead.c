/* SPDX-License-Identifier: Apache-2.0 */
/* The user part of a stack, by a reader, ahead of its turn. */
#include "stack/user.h"
#include "stack/user_parts.h"

/* The registers of R's program; false: they may not be its own, or not all there. */
static bool plain_regs(const struct stack_builder *b, const struct record *r,
		       const struct process *process, struct unwind_regs *regs)
{
	const unsigned count = (unsigned)__builtin_popcountll(b->regs_mask);

	if (b->mode != STACK_CFI || !r->sample.regs || !r->sample.stack_len ||
	    user_is_foreign(b, r) || stack_elsewhere(r) ||
	    !unwind_regs_from_perf(b->arch, b->regs_mask, r->sample.regs, count, regs))
		return false;
	if (user_is_sampled(r))
		return !user_kernel_address(regs->reg[b->arch->sp]);
	unwind_regs_drop_unsaved(b->arch, regs);
	return space_find(&process->space, regs->pc - 1);
}

bool stack_known_user_part(struct stack_builder *reader, const struct record *r,
			   const struct process *process, const struct thread *thread,
			   uint64_t *depth)
{
	const struct record_sample *sample = &r->sample;
	struct user_finder finder = { reader, &process->space };
	struct unwind_regs regs;
	struct unwind_input in = {
		.arch = reader->arch,
		.regs = &regs,
		.stack = sample->stack,
		.stack_len = sample->stack_len,
		.stack_ends = sample->stack_len < sample->stack_room,
		.find = user_find_map,
		.space = &finder,
	};

	if (thread->beyond || !plain_regs(reader, r, process, &regs))
		return false;
	in.stack_start = regs.reg[reader->arch->sp];
	if (!unwind_known_stack(reader->unwinder, &in, &reader->frames))
		return false;
	*depth = user_depth(reader, sample, in.stack_start, false);
	return true;
}

enum exp_stack_end stack_user_part_ahead(struct stack_builder *b, const struct record *r,
					 uint64_t depth)
{
	b->read_top = 0;
	b->chained += r->sample.user.len > 0;
	user_count_depth(b, &r->sample, depth);
	return EXP_END_ROOT;
}
