/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates from its instructions how far a function without a size extends (x86-64 and
 * aarch64).
 *
 * All paths from its first instruction are followed, except calls and jumps through
 * registers or memory.  The function extends as far as the found instructions are
 * contiguous, ignoring padding.  A jump over code that no path reaches proves nothing
 * about that code: it may lead into another function.
 */
#ifndef CODE_REACH_H
#define CODE_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/image.h"

/* Whether this machine's instructions can be followed. */
bool code_reach_knows(const struct elf_image *img);

/*
 * The end of the code at START (virtual addresses), at most LIMIT; START if there is
 * none.
 */
uint64_t code_reach(const struct elf_image *img, uint64_t start, uint64_t limit);

#endif
