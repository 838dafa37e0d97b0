/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack of a thread in the kernel, as /proc/PID/stack shows it to root: a line
 * "[<0>] kthread+0xf8/0x220" for each return address, and " [MODULE]" behind it.  Of the
 * functions only names and sizes are shown, from which their addresses are found again.
 */
#ifndef KERNEL_STACK_H
#define KERNEL_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "process/kernel_names.h"

enum { KERNEL_STACK_MAX = 64 };

/* Functions that were looked up; all-zero: none yet. */
struct kernel_stack_places {
	struct idmap known; /* by hash: index of its start */
	VEC(uint64_t) starts;
};

void kernel_stack_places_release(struct kernel_stack_places *places);

/*
 * Parses the LEN bytes of TEXT; how many return addresses there are, the innermost first.
 * 0: one of them has no place, or several.
 */
size_t kernel_stack_parse(struct kernel_stack_places *places,
			  const struct kernel_names *names, const char *text, size_t len,
			  uint64_t ips[KERNEL_STACK_MAX]);

#endif
