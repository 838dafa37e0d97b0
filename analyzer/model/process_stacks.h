/* SPDX-License-Identifier: Apache-2.0 */
/* What one source's samples add up to by process and stack: for exports with processes. */
#ifndef PROCESS_STACKS_H
#define PROCESS_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "base/idmap.h"
#include "base/vec.h"

struct process_stack {
	uint32_t process, node; /* of the experiment */
};

struct process_stacks {
	VEC(struct process_stack) stacks;
	VEC(uint64_t) weights; /* [stack × metrics + metric], not scaled */
	struct idmap ids;
};

/*
 * Those that the model's filter admits; FRAMES maps stacks to functions.  Overwrites OUT,
 * which the caller releases.
 */
void process_stacks_read(struct process_stacks *out, const struct model *model,
			 size_t source, const struct frame_map *frames);
void process_stacks_release(struct process_stacks *stacks);

#endif
