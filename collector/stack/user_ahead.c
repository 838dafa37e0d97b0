/* SPDX-License-Identifier: Apache-2.0 */
/* The user part of a stack, by a reader, ahead of its turn. */
#include "stack/user.h"
#include "stack/user_parts.h"

/* The registers of R's program; false: they may not be its own, or not all there. */
static bool plain_regs(const struct stack_builder *b, const struct record *r,
		       const struct process *process, struct unwind_regs *regs)
{
	const unsigned count = (unsigned)__builtin_popcountll(b->regs_mask);

	if (!r->sample.stack_len || user_is_foreign(b, r) ||
	    !unwind_regs_from_perf(b->arch, b->regs_mask, r->sample.regs, count, regs))
		return false;
	if (user_is_sampled(r))
		return !user_kernel_address(regs->reg[b->arch->sp]);
	unwind_regs_drop_unsaved(b->arch, regs);
	return space_find(&process->space, regs->pc - 1);
}

static bool by_copy(struct stack_builder *b, const struct record *r,
		    const struct process *process, const struct thread *thread,
		    struct stack_ahead *out)
{
	const struct record_sample *sample = &r->sample;
	struct user_finder finder = { b, &process->space };
	struct unwind_regs regs;
	struct unwind_input in = {
		.arch = b->arch,
		.regs = &regs,
		.stack = sample->stack,
		.stack_len = sample->stack_len,
		.stack_ends = sample->stack_len < sample->stack_room,
		.find = user_find_map,
		.space = &finder,
	};

	if (thread->beyond || !plain_regs(b, r, process, &regs))
		return false;
	in.stack_start = regs.reg[b->arch->sp];
	if (!unwind_known_stack(b->unwinder, &in, &b->frames))
		return false;
	out->copied = true;
	out->depth = user_depth(b, sample, in.stack_start, false);
	return true;
}

/* How it ends must be known. */
static bool by_chain(struct stack_builder *b, const struct record *r,
		     const struct process *process, struct stack_ahead *out)
{
	const struct record_chain *chain = &r->sample.user;
	const struct space *space = &process->space;
	const struct stack_root *known;
	uint64_t last;

	user_take_chain(b, chain);
	if (!chain->len)
		return true;
	last = user_chain_last(chain);
	known = &b->of->roots[user_root_slot(space, last)];
	out->end = known->end;
	return known->told && known->place == last &&
	       known->generation == space->generation;
}

bool stack_known_user_part(struct stack_builder *reader, const struct record *r,
			   const struct process *process, const struct thread *thread,
			   struct stack_ahead *out)
{
	vec_clear(&reader->frames.v);
	out->end = EXP_END_ROOT;
	if (stack_elsewhere(r))
		return false;
	if (reader->mode == STACK_CFI && r->sample.regs)
		return by_copy(reader, r, process, thread, out);
	if (reader->mode == STACK_CFI && user_lacks_regs(r, process)) {
		out->end = EXP_END_NO_REGISTER;
		return true;
	}
	return (reader->mode == STACK_CFI || reader->mode == STACK_FP) &&
	       by_chain(reader, r, process, out);
}

enum exp_stack_end stack_user_part_ahead(struct stack_builder *b, const struct record *r,
					 const struct stack_ahead *ahead)
{
	b->read_top = 0;
	b->chained += ahead->copied && r->sample.user.len;
	if (ahead->copied)
		user_count_depth(b, &r->sample, ahead->depth);
	return ahead->end;
}
