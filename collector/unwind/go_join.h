/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Continues by the kernel's chain at a stack switch of Go's runtime.
 *
 * The last frame switched stacks, and its caller's was not copied.  The kernel followed
 * the frame pointers there; the proven part (go_chain.h) is added.
 */
#ifndef UNWIND_GO_JOIN_H
#define UNWIND_GO_JOIN_H

#include "unwind/walk.h"

/* From the last frame of W, whose code is at CODE, W->CODE.  How the stack ends. */
enum unwind_end go_join(struct walk *w, const struct near_map *code);

#endif
