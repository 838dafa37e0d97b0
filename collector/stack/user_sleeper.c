/* SPDX-License-Identifier: Apache-2.0 */
/* The user part of the stack of a thread that sleeps. */
#include "stack/user.h"
#include "stack/user_parts.h"

/* Of the others a system call keeps the values, but /proc does not show them. */
static void registers_of_sleeper(const struct unwind_arch *arch, const struct sleeper *s,
				 struct unwind_regs *regs)
{
	*regs = (struct unwind_regs){ .pc = s->pc };
	unwind_reg_set(regs, arch->sp, s->sp);
	regs->unsaved = (arch->kept | UINT64_C(1) << arch->ra) & ~regs->known;
}

enum exp_stack_end stack_user_part_of_sleeper(struct stack_builder *b,
					      const struct sleeper *s,
					      const struct process *process,
					      struct thread *thread)
{
	struct user_finder finder = { b, &process->space };
	struct unwind_regs regs;
	const struct unwind_input in = {
		.arch = b->arch,
		.regs = &regs,
		.stack = s->stack,
		.stack_len = s->len,
		.stack_start = s->sp,
		.stack_ends = s->len < s->room,
		.find = user_find_map,
		.space = &finder,
	};

	vec_clear(&b->frames.v);
	b->read_top = 0;
	b->top = NULL;
	if (b->mode == STACK_OFF || !b->arch) {
		user_push(b, s->pc, false);
		return EXP_END_NONE;
	}
	registers_of_sleeper(b->arch, s, &regs);
	unwind_stack(b->unwinder, &in, &b->frames);
	if (b->splice && splice_apply(&thread->splice, &b->frames))
		b->spliced++;
	unwind_frames_drop_doubtful(&b->frames);
	return user_end_of_unwind[b->frames.end];
}
