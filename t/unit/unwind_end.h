/* SPDX-License-Identifier: Apache-2.0 */
/* For messages of tests: why a stack ends. */
#ifndef UNWIND_END_H
#define UNWIND_END_H

#include "unwind/frames.h"

static inline const char *unwind_end_name(enum unwind_end end)
{
	static const char *const names[UNWIND_END_COUNT] = {
		[UNWIND_END_ROOT] = "root",
		[UNWIND_END_TRUNCATED] = "truncated",
		[UNWIND_END_NO_RULE] = "no rule",
		[UNWIND_END_BAD_MEMORY] = "bad memory",
		[UNWIND_END_DEPTH] = "depth limit",
		[UNWIND_END_OTHER] = "other",
		[UNWIND_END_OTHER_STACK] = "other stack",
		[UNWIND_END_NO_REGISTER] = "register not saved",
	};

	return names[end];
}

#endif
