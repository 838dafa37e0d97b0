/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/builder.h"

const uint32_t stack_depths[STACK_DEPTHS] = { 8 << 10, 32 << 10 };

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
		.artificial = MODULE_NO_ID,
		.splice = true,
	};
	path_cache_init(&b->paths);
}

void stack_builder_release(struct stack_builder *b)
{
	unwinder_free(b->unwinder);
	unwind_frames_release(&b->frames);
	unwind_frames_release(&b->beyond);
	vec_release(&b->steps);
	vec_release(&b->places);
	vec_release(&b->nodes);
	path_cache_release(&b->paths);
}
