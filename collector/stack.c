/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include "stack_user.h"

/* The generation that kernel frames are kept under. */
enum { KERNEL_PATH = 0 };

const char *const stack_mode_names[STACK_MODES] = {
	[STACK_CFI] = "cfi",
	[STACK_FP] = "fp",
	[STACK_LBR] = "lbr",
	[STACK_OFF] = "off",
};

void stack_builder_init(struct stack_builder *b, enum stack_mode mode, struct intern *in,
			struct module_table *modules, const struct kernel_map *kernel)
{
	*b = (struct stack_builder){
		.mode = mode,
		.arch = unwind_arch_host(),
		.in = in,
		.modules = modules,
		.kernel = kernel,
		.unwinder = unwinder_new(),
		.unknown = MODULE_NO_ID,
		.artificial = MODULE_NO_ID,
		.splice = true,
	};
	path_cache_init(&b->paths);
}

void stack_builder_release(struct stack_builder *b)
{
	unwinder_free(b->unwinder);
	unwind_frames_release(&b->frames);
	path_cache_release(&b->paths);
}

/* ---- placing an address ---- */

static uint32_t unknown_module(struct stack_builder *b)
{
	if (b->unknown == MODULE_NO_ID)
		b->unknown = intern_module(b->in, "[unknown]", "", EXP_KIND_UNKNOWN);
	return b->unknown;
}

static uint32_t truncated_frame(struct stack_builder *b, enum exp_stack_end reason)
{
	if (b->artificial == MODULE_NO_ID)
		b->artificial = intern_module(b->in, "[ringprof]", "",
					      EXP_KIND_ARTIFICIAL);
	return intern_frame(b->in, b->artificial, EXP_TRUNCATED + (unsigned)reason, 0);
}

/* A return address may lie one past the last byte of its mapping: look before it. */
static uint32_t user_frame(struct stack_builder *b, const struct space *space,
			   uint64_t address, bool is_return)
{
	const struct mapping *m = space_find(space, address - is_return);
	uint32_t flags = is_return ? EXP_FRAME_RETURN : 0;

	if (!m)
		return intern_frame(b->in, unknown_module(b), address, flags);
	return intern_frame(b->in, module_id(b->modules, m->module, b->in),
			    address - m->start + m->offset, flags);
}

static uint32_t kernel_frame(struct stack_builder *b, uint64_t address, bool is_return)
{
	uint32_t module;
	uint64_t offset;

	kernel_map_find(b->kernel, address, &module, &offset);
	return intern_frame(b->in, module_id(b->modules, module, b->in), offset,
			    is_return ? EXP_FRAME_RETURN : 0);
}

/* ---- extending a path ---- */

/* An address's top bit is its sign, which the next one repeats: it can go. */
static uint64_t path_key(uint64_t address, bool is_return)
{
	return address << 1 | is_return;
}

static uint32_t add_user(struct stack_builder *b, const struct space *space,
			 uint32_t parent, uint64_t address, bool is_return)
{
	uint64_t under = (uint64_t)parent << 32 | space->generation;
	uint64_t key = path_key(address, is_return);
	struct path_entry *e = path_cache_at(&b->paths, under, key);

	if (!path_entry_is(e, under, key))
		*e = (struct path_entry){
			.under = under,
			.key = key,
			.node = intern_node(b->in, parent,
					    user_frame(b, space, address, is_return)),
		};
	return e->node;
}

/* LEAF is where the innermost frame is. */
static uint32_t add_kernel(struct stack_builder *b, const struct record_chain *chain,
			   const uint64_t *leaf, uint32_t parent)
{
	for (size_t i = chain->len; i-- > 0;) {
		uint64_t under = (uint64_t)parent << 32 | KERNEL_PATH;
		uint64_t address = i ? chain->ips[i] : *leaf;
		uint64_t key = path_key(address, i > 0);
		struct path_entry *e = path_cache_at(&b->paths, under, key);

		if (!path_entry_is(e, under, key))
			*e = (struct path_entry){
				.under = under,
				.key = key,
				.node = intern_node(b->in, parent,
						    kernel_frame(b, address, i > 0)),
			};
		parent = e->node;
	}
	return parent;
}

/*
 * The user frames on top of NODE.  From one sample of a thread to the next the root side
 * of its stack is the same, so the path of last time is followed as far as it goes; only
 * from there on is anything looked up.
 */
static uint32_t add_user_frames(struct stack_builder *b, const struct space *space,
				struct thread *thread, uint32_t node)
{
	size_t count = b->frames.v.len;
	bool same = thread->path_under == node &&
		    thread->path_generation == space->generation;

	thread->path_under = node;
	thread->path_generation = space->generation;
	vec_reserve(&thread->path, count);
	for (size_t i = 0; i < count; i++) {
		const struct unwind_frame *f = &b->frames.v.data[count - 1 - i];
		struct path_step *step = &thread->path.data[i];
		uint64_t key = path_key(f->address, f->is_return);

		same = same && i < thread->path.len && step->key == key;
		if (!same)
			*step = (struct path_step){
				.key = key,
				.node = add_user(b, space, node, f->address,
						 f->is_return),
			};
		node = step->node;
	}
	thread->path.len = count;
	return node;
}

uint32_t stack_node(struct stack_builder *b, const struct record *r,
		    struct process *process, struct thread *thread)
{
	enum exp_stack_end end = stack_user_part(b, r, process, thread);
	struct record_chain kernel = r->sample.kernel;
	uint32_t node = 0;

	if (stack_in_kernel(r) && !kernel.len)
		kernel = (struct record_chain){ .ips = &r->sample.ip, .len = 1 };
	b->ends[end]++;
	if (end != EXP_END_ROOT && end != EXP_END_NONE)
		node = intern_node(b->in, 0, truncated_frame(b, end));
	node = add_user_frames(b, &process->space, thread, node);
	return add_kernel(b, &kernel,
			  b->exact && stack_in_kernel(r) ? &r->sample.ip : kernel.ips,
			  node);
}
