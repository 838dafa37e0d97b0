/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/begin.h"

enum {
	WORD = 8,
	ARGS_MAX = 4096,          /* more are not checked */
	STRINGS_SPAN = 128 << 20, /* the kernel's limit is a quarter of 512 MiB at most */
};

/*
 *	AT:  number of arguments | pointers to them | 0 | pointers to variables | 0 | …
 *
 * The texts lie above all of it, in the order of the pointers.
 */
static bool is_argument_block(const struct stack_copy *stack, uint64_t at)
{
	uint64_t count, pointer, last = at;

	if (!stack_word(stack, at, &count) || !count || count > ARGS_MAX)
		return false;
	for (uint64_t i = 1; i <= count; i++) {
		if (!stack_word(stack, at + i * WORD, &pointer) || pointer <= last ||
		    pointer - at > STRINGS_SPAN)
			return false;
		last = pointer;
	}
	return stack_word(stack, at + (count + 1) * WORD, &pointer) && !pointer;
}

bool unwind_begin_is_near(const struct stack_copy *stack, uint64_t sp)
{
	for (uint64_t at = sp; at - sp < UNWIND_BEGIN_SPAN; at += WORD)
		if (is_argument_block(stack, at))
			return true;
	return false;
}
