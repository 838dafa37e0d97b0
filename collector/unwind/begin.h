/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognizes the beginning of a program by the kernel's data on its stack.
 *
 * For code without call frame information that never returns, such as a C library's entry
 * code: no instruction there leads to a caller, and there is none.
 */
#ifndef UNWIND_BEGIN_H
#define UNWIND_BEGIN_H

#include <stdbool.h>

#include "unwind/cfi_expr.h"

/* How far above a stack pointer to look for a beginning, in bytes. */
#define UNWIND_BEGIN_SPAN 256

/*
 * Whether the number of a program's arguments, and pointers to them, lie at most that far
 * above SP: only the C library's frames are between.
 */
bool unwind_begin_is_near(const struct stack_copy *stack, uint64_t sp);

#endif
