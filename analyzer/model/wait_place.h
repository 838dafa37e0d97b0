/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place of a wait: the innermost function of its stack that is the program's own
 * code.  That is a function in any file but the libraries of the C and C++ runtime (the
 * loader, libc, libstdc++, OpenMP's and the like, by the file's name), or code made at run
 * time.  Without one it is the innermost function in a file; else, in threads of the kernel,
 * the leaf, or what called the scheduler.
 */
#ifndef WAIT_PLACE_H
#define WAIT_PLACE_H

#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"

/* Whether it is a library of the C and C++ runtime. */
bool object_is_runtime(const struct model *model, uint32_t object);

/*
 * By node of SOURCE, the function that is its place; FRAMES are functions.  The caller
 * frees it.
 */
uint32_t *wait_places(const struct model *model, size_t source,
		      const struct frame_map *frames);

#endif
