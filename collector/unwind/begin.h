/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a program begins: what the kernel laid on its stack.
 *
 * For code that nobody described, and that never returns, as a C library's own beginning:
 * no instruction leads from there to a caller, and there is none.
 */
#ifndef UNWIND_BEGIN_H
#define UNWIND_BEGIN_H

#include <stdbool.h>

#include "unwind/cfi_expr.h"

/* How far above a stack pointer a beginning is looked for, in bytes. */
#define UNWIND_BEGIN_SPAN 256

/*
 * Whether the number of a program's arguments, and pointers to them, lie at most so far
 * above SP: between there and the frame nobody but the C library has been.
 */
bool unwind_begin_is_near(const struct stack_copy *stack, uint64_t sp);

#endif
