/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/user.h"

#include <string.h>

#include "stack/beyond.h"
#include "stack/user_parts.h"

const enum exp_stack_end user_end_of_unwind[UNWIND_END_COUNT] = {
	[UNWIND_END_ROOT] = EXP_END_ROOT,
	[UNWIND_END_TRUNCATED] = EXP_END_TRUNCATED,
	[UNWIND_END_NO_RULE] = EXP_END_NO_RULE,
	[UNWIND_END_BAD_MEMORY] = EXP_END_BAD_MEMORY,
	[UNWIND_END_DEPTH] = EXP_END_DEPTH,
	[UNWIND_END_OTHER] = EXP_END_OTHER,
	[UNWIND_END_OTHER_STACK] = EXP_END_OTHER_STACK,
	[UNWIND_END_NO_REGISTER] = EXP_END_NO_REGISTER,
};

bool user_find_map(void *ctx, uint64_t address, struct unwind_map *map)
{
	const struct user_finder *f = ctx;
	const struct mapping *m = space_find(f->space, address);
	const struct module *module;

	if (!m)
		return false;
	*map = (struct unwind_map){
		.start = m->start,
		.end = m->end,
		.file_offset = m->offset,
		.module = f->b->of ? module_known_cfi(f->b->modules, m->module)
				   : module_cfi(f->b->modules, m->module),
		.executable = true, /* the kernel reports no others */
	};
	module = &f->b->modules->v.data[m->module];
	map->generated = module->kind == EXP_KIND_ANON;
	map->unread = module->kind == EXP_KIND_FILE && !map->module && !module->foreign &&
		      !f->b->modules->elsewhere;
	return true;
}

/* A made_is_code. */
static bool is_generated(void *ctx, uint64_t address)
{
	const struct user_finder *f = ctx;
	const struct mapping *m = space_find(f->space, address);

	return m && f->b->modules->v.data[m->module].kind == EXP_KIND_ANON;
}

bool stack_in_kernel(const struct record *r)
{
	return (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

bool user_is_sampled(const struct record *r)
{
	return (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
}

bool stack_elsewhere(const struct record *r)
{
	return !stack_in_kernel(r) && !user_is_sampled(r);
}

enum {
	RCX = 2,
	X8 = 8,
	ARM_EXIT = 93,
	ARM_EXIT_GROUP,
	ARM_EXECVE = 221,
	ARM_EXECVEAT = 281,
	X86_PAGE = 4096
};

/*
 * x86-64's syscall leaves the return address in rcx; on arm64 the number identifies a
 * call.
 */
static bool in_system_call(const struct unwind_arch *arch, const struct unwind_regs *regs)
{
	uint64_t call = regs->reg[X8];

	if (arch == &unwind_x86_64)
		return regs->reg[RCX] == regs->pc;
	return call == ARM_EXIT || call == ARM_EXIT_GROUP || call == ARM_EXECVE ||
	       call == ARM_EXECVEAT;
}

/* Registers that execve has cleared for the new program, except its first address. */
static bool cleared(const struct unwind_arch *arch, const struct unwind_regs *regs)
{
	return arch == &unwind_x86_64 && !regs->reg[RCX] && !regs->reg[arch->fp];
}

/*
 * Whether nothing of the stack was copied only because the stack pointer's page was never
 * written: by its rule, the function was called from a page above.  Otherwise the call
 * wrote the return address into the missing page.
 */
static bool on_new_page(struct stack_builder *b, const struct process *process,
			const struct unwind_regs *regs)
{
	struct user_finder finder = { b, &process->space };
	const uint64_t sp = regs->reg[b->arch->sp];
	const struct unwind_input in = {
		.arch = b->arch,
		.regs = regs,
		.stack_start = sp,
		.find = user_find_map,
		.space = &finder,
	};

	if (b->arch != &unwind_x86_64) /* its system calls are those that end a memory */
		return false;
	unwind_stack(b->unwinder, &in, &b->beyond);
	return b->beyond.end == UNWIND_END_TRUNCATED &&
	       b->beyond.missing / X86_PAGE != sp / X86_PAGE;
}

/*
 * A task that executes a program, or exits, continues in the kernel after the memory of
 * its user registers is gone: its stack begins in the kernel.  The task made a call from
 * that memory, so the page is not merely absent.
 */
static bool memory_gone(struct stack_builder *b, const struct record *r,
			const struct process *process, const struct unwind_regs *regs)
{
	bool mapped = space_find(&process->space, regs->pc - 1);

	if (!stack_in_kernel(r))
		return false;
	if (in_system_call(b->arch, regs))
		return !mapped ||
		       (!r->sample.stack_len && !on_new_page(b, process, regs));
	return !mapped && cleared(b->arch, regs);
}

void user_push(struct stack_builder *b, uint64_t address, bool is_return)
{
	*vec_push(&b->frames.v) = (struct unwind_frame){
		.address = address,
		.is_return = is_return,
	};
}

/* --stack off: only the sampled address. */
static enum exp_stack_end take_ip(struct stack_builder *b, const struct record *r)
{
	if (user_is_sampled(r))
		user_push(b, r->sample.ip, false);
	return EXP_END_NONE;
}

/* Reads the stack beyond the copy from the live process, as unwinding IN needs it. */
static void read_beyond(struct stack_builder *b, const struct unwind_input *in,
			struct beyond *beyond, uint32_t pid)
{
	uint64_t anchor = beyond_anchor(beyond);
	struct unwind_input again = *in;
	struct beyond_reading reading;
	bool root;

	if (anchor - in->stack_start < in->stack_len)
		again.stack_len = anchor - in->stack_start;
	beyond_begin(&reading, beyond, pid, again.stack_start + again.stack_len,
		     &b->beyond);
	again.beyond = beyond_read;
	again.beyond_context = &reading;
	if (!in->chain_len) {
		again.known = beyond_passes_anchor;
		again.known_context = &reading;
		again.known_from = anchor + 1;
	}
	unwind_stack(b->unwinder, &again, &b->beyond);
	root = b->beyond.end == UNWIND_END_ROOT;
	b->read_top = root ? reading.top : 0;
	beyond_end(&reading, root);
}

/*
 * Unwinds IN, the copy of R's stack, with the known words beyond it.  True if they led to
 * the root.
 */
static bool unwind_beyond(struct stack_builder *b, const struct record *r,
			  const struct unwind_input *in, const struct space *space,
			  struct thread *thread)
{
	struct beyond_walk walk = {
		.beyond = thread->beyond,
		.arch = in->arch,
		.frames = &b->frames,
		.start = in->stack_start,
		.copied = in->stack_start + in->stack_len,
		.time_ns = r->at.time,
		.generation = space->generation,
	};
	const struct beyond_task task = { r->at.pid, r->at.tid, &thread->beyond };
	struct unwind_input with = *in;

	with.beyond = beyond_word;
	with.beyond_context = &walk;
	with.known_from = in->chain_len ? UINT64_MAX : beyond_top_from(thread->beyond);
	with.known = with.known_from < UINT64_MAX ? beyond_joins_top : NULL;
	with.known_context = &walk;
	unwind_stack(b->unwinder, &with, &b->frames);
	if (beyond_settle(&walk, &b->frames)) {
		b->top = b->frames.joined ? beyond_top(thread->beyond) : NULL;
		b->joined++;
		return true;
	}
	if (b->frames.end == UNWIND_END_TRUNCATED && !in->stack_ends && !thread->ended &&
	    beyond_lack(b->beyond_shared, &task, &walk))
		read_beyond(b, in, thread->beyond, r->at.pid);
	return false;
}

/*
 * For a precise event in the program with the interrupt in the kernel, the kernel reports
 * the event's ip as the program's, with its own other registers.
 */
bool user_kernel_address(uint64_t address)
{
	return address >> 63;
}

/*
 * How many bytes of its stack a sample needed: up to the last frame in the copy, or more
 * if the copy was too short.
 */
uint64_t user_depth(const struct stack_builder *b, const struct record_sample *sample,
		    uint64_t start, bool joined)
{
	const struct unwind_frames *frames = &b->frames;
	uint64_t copied = sample->stack_len;

	if (joined || frames->spliced || frames->end == UNWIND_END_TRUNCATED)
		return copied < sample->stack_room ? copied : UINT64_MAX;
	for (size_t i = frames->v.len; i-- > 0;)
		if (frames->v.data[i].cfa > start &&
		    frames->v.data[i].cfa - start <= copied)
			return frames->v.data[i].cfa - start;
	return 0;
}

void user_count_depth(struct stack_builder *b, const struct record_sample *sample,
		      uint64_t depth)
{
	for (size_t i = 0; i < STACK_DEPTHS && sample->stack_len > stack_depths[0]; i++)
		b->deeper[i] += depth > stack_depths[i];
}

/* Notes how much of the copy was needed, to adapt the size of copies. */
static void count_copy(struct stack_builder *b, const struct record_sample *sample,
		       uint64_t start, bool joined)
{
	user_count_depth(b, sample, user_depth(b, sample, start, joined));
	b->cut += b->frames.end == UNWIND_END_TRUNCATED &&
		  sample->stack_len == sample->stack_room;
}

/* Unwinds R's copy from REGS, and completes it from beyond it or from earlier stacks. */
static enum exp_stack_end unwind_from(struct stack_builder *b, const struct record *r,
				      const struct process *process,
				      struct thread *thread,
				      const struct unwind_regs *regs)
{
	const struct record_sample *sample = &r->sample;
	struct user_finder finder = { b, &process->space };
	struct made_view view = {
		.all = b->made,
		.pid = r->at.pid,
		.time_ns = r->at.time,
		.is_code = is_generated,
		.context = &finder,
	};
	const struct unwind_made made = { made_code_rule, made_code_is_behind_call,
					  &view };
	const struct unwind_input in = {
		.arch = b->arch,
		.regs = regs,
		.stack = sample->stack,
		.stack_len = sample->stack_len,
		.stack_start = regs->reg[b->arch->sp],
		.stack_ends = sample->stack_len < sample->stack_room,
		.chain = sample->user.ips,
		.chain_len = sample->user.len,
		.find = user_find_map,
		.space = &finder,
		.made = b->made && b->arch == &unwind_x86_64 ? &made : NULL,
	};
	bool joined = false;

	b->chained += in.chain_len > 0;
	if (b->beyond_shared)
		joined = unwind_beyond(b, r, &in, &process->space, thread);
	else
		unwind_stack(b->unwinder, &in, &b->frames);
	if (b->splice && !joined && splice_apply(&thread->splice, &b->frames))
		b->spliced++;
	if (b->holes && (b->frames.end != UNWIND_END_ROOT || b->frames.spliced))
		stack_holes_mend(b->holes, sample, r->at.pid, in.stack_start,
				 stack_in_kernel(r) && !in_system_call(b->arch, regs));
	count_copy(b, sample, in.stack_start, joined);
	unwind_frames_drop_doubtful(&b->frames);
	return user_end_of_unwind[b->frames.end];
}

/*
 * By the registers and the copy, if those are the program's and still refer to its stack.
 */
static enum exp_stack_end unwind_copy(struct stack_builder *b, const struct record *r,
				      const struct process *process,
				      struct thread *thread)
{
	const unsigned count = (unsigned)__builtin_popcountll(b->regs_mask);
	struct unwind_regs regs;

	if (!unwind_regs_from_perf(b->arch, b->regs_mask, r->sample.regs, count, &regs))
		return EXP_END_NONE;
	if (user_is_sampled(r) && user_kernel_address(regs.reg[b->arch->sp])) {
		user_push(b, r->sample.ip, false);
		return EXP_END_NO_REGISTER;
	}
	if (!user_is_sampled(r))
		unwind_regs_drop_unsaved(b->arch, &regs);
	if (memory_gone(b, r, process, &regs))
		return EXP_END_ROOT;
	return unwind_from(b, r, process, thread, &regs);
}

/*
 * How a chain ends whose last frame is at PLACE, by the call frame information there;
 * unknown without the file.
 */
static enum exp_stack_end find_end(struct stack_builder *b, const struct space *space,
				   uint64_t place)
{
	const struct mapping *m = space_find(space, place);
	struct unwind_module *cfi = m ? module_cfi(b->modules, m->module) : NULL;

	if (cfi)
		return unwind_is_root(b->unwinder, cfi, place - m->start + m->offset)
			       ? EXP_END_ROOT
			       : EXP_END_OTHER;
	if (m && b->modules->v.data[m->module].kind == EXP_KIND_FILE)
		return EXP_END_UNKNOWN;
	return EXP_END_OTHER;
}

size_t user_root_slot(const struct space *space, uint64_t place)
{
	return (place ^ place >> 8 ^ space->generation) % STACK_ROOTS;
}

/* The same, cached: a program's stacks end in few places. */
static enum exp_stack_end chain_end(struct stack_builder *b, const struct space *space,
				    uint64_t place)
{
	struct stack_root *known = &b->roots[user_root_slot(space, place)];

	if (!known->told || known->place != place ||
	    known->generation != space->generation)
		*known = (struct stack_root){
			.place = place,
			.generation = space->generation,
			.told = true,
			.end = find_end(b, space, place),
		};
	return known->end;
}

uint64_t user_chain_last(const struct record_chain *chain)
{
	return chain->ips[chain->len - 1] - (chain->len > 1);
}

void user_take_chain(struct stack_builder *b, const struct record_chain *chain)
{
	vec_reserve(&b->frames.v, chain->len);
	for (size_t i = 0; i < chain->len; i++)
		b->frames.v.data[i] = (struct unwind_frame){
			.address = chain->ips[i],
			.is_return = i > 0,
		};
	b->frames.v.len = chain->len;
}

/* The kernel followed the frame pointers; CFI shows whether it reached the root. */
static enum exp_stack_end take_chain(struct stack_builder *b, const struct record *r,
				     const struct process *process)
{
	const struct record_chain *chain = &r->sample.user;

	user_take_chain(b, chain);
	if (!chain->len)
		return EXP_END_ROOT;
	return chain_end(b, &process->space, user_chain_last(chain));
}

/* Registers of 32-bit code, or of a machine whose rules we do not know. */
bool user_is_foreign(const struct stack_builder *b, const struct record *r)
{
	return !b->arch || r->sample.regs_abi != PERF_SAMPLE_REGS_ABI_64;
}

static enum exp_stack_end take_foreign(struct stack_builder *b, const struct record *r,
				       const struct process *process)
{
	if (r->sample.user.len)
		return take_chain(b, r, process);
	take_ip(b, r);
	return EXP_END_NO_RULE;
}

/*
 * The CPU's record of calls that have not returned: each has the address of the call
 * itself. It holds only a few (8 to 32), so the outermost is seldom the root.  The
 * kernel's chain has the thread's current place.
 */
static enum exp_stack_end take_calls(struct stack_builder *b, const struct record *r,
				     const struct process *process)
{
	const struct record_branches *calls = &r->sample.branches;

	if (!calls->len)
		return take_chain(b, r, process);
	if (!r->sample.user.len && !user_is_sampled(r))
		return EXP_END_ROOT;
	user_push(b, r->sample.user.len ? r->sample.user.ips[0] : calls->words[1], false);
	for (size_t i = 0; i < calls->len; i++)
		user_push(b, calls->words[3 * i], false);
	return chain_end(b, &process->space, calls->words[3 * (calls->len - 1)]);
}

/* If a sample has no mode, its chain may begin with the sampled address. */
static void drop_leaf(struct stack_builder *b, uint64_t ip)
{
	struct unwind_frame *frames = b->frames.v.data;

	if (!b->frames.v.len || frames[0].address != ip)
		return;
	b->frames.v.len--;
	memmove(frames, frames + 1, b->frames.v.len * sizeof(*frames));
}

/*
 * A kernel task has no user registers.  Others lack them if an NMI came while they were
 * being saved: then the kernel has made no call since it was entered.
 */
static bool regs_of_entry(const struct stack_builder *b, const struct record *r,
			  struct unwind_regs *regs)
{
	const unsigned count = (unsigned)__builtin_popcountll(b->regs_mask);

	return !user_is_foreign(b, r) && r->sample.regs && stack_in_kernel(r) &&
	       unwind_regs_from_perf(b->arch, b->regs_mask, r->sample.regs, count, regs);
}

uint64_t stack_call_argument(const struct stack_builder *b, const struct record *r)
{
	struct unwind_regs regs;

	if (!regs_of_entry(b, r, &regs) || !unwind_reg_known(&regs, b->arch->argument))
		return 0;
	return regs.reg[b->arch->argument];
}

uint64_t stack_entry_ip(const struct stack_builder *b, const struct record *r)
{
	struct unwind_regs regs;

	if (r->sample.user.len)
		return r->sample.user.ips[0];
	return regs_of_entry(b, r, &regs) ? regs.pc : 0;
}

bool user_lacks_regs(const struct record *r, const struct process *process)
{
	enum { ENTRY_FRAMES = 2 };

	return stack_in_kernel(r) && process->space.len && !r->sample.user.len &&
	       r->sample.kernel.len <= ENTRY_FRAMES;
}

static enum exp_stack_end take_no_regs(struct stack_builder *b, const struct record *r,
				       const struct process *process)
{
	if (user_lacks_regs(r, process))
		return EXP_END_NO_REGISTER;
	return take_chain(b, r, process);
}

static enum exp_stack_end by_mode(struct stack_builder *b, const struct record *r,
				  const struct process *process, struct thread *thread)
{
	switch (b->mode) {
	case STACK_CFI:
		if (!r->sample.regs)
			return take_no_regs(b, r, process);
		if (user_is_foreign(b, r))
			return take_foreign(b, r, process);
		return unwind_copy(b, r, process, thread);
	case STACK_FP:
		return take_chain(b, r, process);
	case STACK_LBR:
		return take_calls(b, r, process);
	default:
		return take_ip(b, r);
	}
}

enum exp_stack_end stack_user_part(struct stack_builder *b, const struct record *r,
				   const struct process *process, struct thread *thread)
{
	enum exp_stack_end end;

	vec_clear(&b->frames.v);
	b->read_top = 0;
	b->top = NULL;
	end = by_mode(b, r, process, thread);
	if ((r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
		drop_leaf(b, r->sample.ip);
	return end;
}
