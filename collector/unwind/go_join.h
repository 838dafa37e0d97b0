/* SPDX-License-Identifier: Apache-2.0 */
/*
 * On by the kernel's chain, where Go's runtime went over to another stack.
 *
 * The last frame changed stacks, and its caller's was not copied.  The kernel has followed
 * the frame pointers over there; what of that is proven (go_chain.h) is added.
 */
#ifndef UNWIND_GO_JOIN_H
#define UNWIND_GO_JOIN_H

#include "unwind/walk.h"

/* From the last frame of W, whose code is at CODE, W->CODE.  How the stack ends. */
enum unwind_end go_join(struct walk *w, const struct near_map *code);

#endif
