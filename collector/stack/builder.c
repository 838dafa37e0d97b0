/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/builder.h"

#include <string.h>

#include "stack/beyond.h"

const uint32_t stack_depths[STACK_DEPTHS] = { 8 << 10, 12 << 10, 20 << 10, 32 << 10 };

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
		.guest = MODULE_NO_ID,
		.splice = true,
	};
	path_cache_init(&b->paths);
}

void stack_builder_init_reader(struct stack_builder *b, const struct stack_builder *of)
{
	*b = (struct stack_builder){
		.of = of,
		.in = of->in,
		.modules = of->modules,
		.kernel = of->kernel,
		.unwinder = unwinder_new_reader(of->unwinder),
	};
	path_cache_init(&b->paths);
}

/* What OF was told may change. */
void stack_builder_begin_reader(struct stack_builder *b)
{
	b->mode = b->of->mode;
	b->arch = b->of->arch;
	b->regs_mask = b->of->regs_mask;
	b->chains_lack_kernel = b->of->chains_lack_kernel;
	b->splice = b->of->splice;
	vec_clear(&b->rest);
	vec_clear(&b->kept);
	if (b->turns != b->of->turns)
		path_cache_clear(&b->paths);
	b->turns = b->of->turns;
}

void stack_builder_release(struct stack_builder *b)
{
	unwinder_free(b->unwinder);
	unwind_frames_release(&b->frames);
	unwind_frames_release(&b->beyond);
	vec_release(&b->steps);
	vec_release(&b->places);
	vec_release(&b->nodes);
	vec_release(&b->rest);
	vec_release(&b->kept);
	path_cache_release(&b->paths);
}

void stack_builder_turn(struct stack_builder *b)
{
	b->before = stack_builder_stats(b);
	b->turns++;
	b->unknown = b->guest = MODULE_NO_ID;
	b->spliced = b->left_out = 0;
	memset(b->ends, 0, sizeof(b->ends));
	path_cache_clear(&b->paths);
}

struct stack_stats stack_builder_stats(const struct stack_builder *b)
{
	const struct unwind_stats *unwound = unwinder_stats(b->unwinder);
	struct stack_stats stats = {
		.cut = b->cut,
		.joined = b->joined,
		.chained = b->chained,
		.elsewhere = unwound->elsewhere,
		.completed = unwound->joined,
		.holes = b->holes ? b->holes->count : 0,
		.news = b->beyond_shared ? b->beyond_shared->news : 0,
	};

	memcpy(stats.deeper, b->deeper, sizeof(stats.deeper));
	return stats;
}

void stack_builder_want_beyond(struct stack_builder *b, bool wanted)
{
	struct beyond_shared *all = b->beyond_shared;

	if (!all)
		return;
	all->news += wanted && !all->wanted;
	all->wanted = wanted;
}
