/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/ahead.h"

void stack_reader_init(struct stack_reader *reader, const struct stack_builder *of)
{
	*reader = (struct stack_reader){ 0 };
	stack_builder_init_reader(&reader->builder, of);
}

void stack_reader_release(struct stack_reader *reader)
{
	stack_builder_release(&reader->builder);
}

/* What OF was told may change. */
void stack_reader_begin(struct stack_reader *reader)
{
	struct stack_builder *b = &reader->builder;

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
